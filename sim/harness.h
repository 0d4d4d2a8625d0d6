// C interface of the cycle-accurate engine model. One handle = one engine and its clock; handles are independent.
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
#ifndef ECCEL_HARNESS_H
#define ECCEL_HARNESS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct eccel_model eccel_model;

// Result of an exchange.
enum { ECCEL_DONE = 0, ECCEL_WATCHDOG = 1, ECCEL_OVERFLOW = 2, ECCEL_WAS_RESET = 3 };

// Entropy source: nothing, pseudo-random words from a seed, or one constant word.
enum { ECCEL_ENTROPY_NONE = 0, ECCEL_ENTROPY_SEED = 1, ECCEL_ENTROPY_CONSTANT = 2 };

// Kinds of recorded events. Value: the program counter, the field-unit operation, 0.
enum { ECCEL_EVENT_INSTRUCTION = 0, ECCEL_EVENT_FIELD_ISSUE = 1, ECCEL_EVENT_FIELD_DONE = 2 };

typedef struct {
    uint64_t cycle;
    uint32_t kind;
    uint32_t value;
} eccel_event;

// What to do during one exchange. Cycles count from the first clock of the exchange; UINT64_MAX = never.
typedef struct {
    uint64_t watchdog;     // give up after this number of clocks; in a stream, of clocks without a response
    uint64_t zeroise_at;   // one-clock pulse on zeroise_i
    uint64_t reset_at;     // reset for one clock, then return ECCEL_WAS_RESET
    uint32_t req_stall;    // rotating pattern: bit (clock mod 32) = 1 withholds the request word
    uint32_t rsp_stall;    // rotating pattern: bit (clock mod 32) = 1 withholds the ready of the response
} eccel_plan;

typedef struct {
    uint64_t cycles;  // last request word accepted to first response word valid
    uint64_t total;   // clocks spent in this exchange
    size_t words;     // response words stored
} eccel_outcome;

// Opens a model that reads its memory images from `directory`. NULL if that directory cannot be entered.
eccel_model *eccel_model_open(const char *directory);
void eccel_model_close(eccel_model *model);

// Holds rst_ni low for `clocks` clocks.
void eccel_model_reset(eccel_model *model, uint32_t clocks);

// Runs the engine for some clocks without a packet.
void eccel_model_idle(eccel_model *model, uint64_t clocks);

// Chooses the entropy source; `value` is the seed or the constant.
void eccel_model_entropy(eccel_model *model, int source, uint64_t value);

// Queues words for the entropy port, which delivers them before those of the source.
void eccel_model_entropy_words(eccel_model *model, const uint32_t *words, size_t count);

// Sends one packet (`last` on its final word) and collects one response of at most `capacity` words.
int eccel_model_exchange(eccel_model *model, const uint32_t *request, size_t count, uint32_t *response, size_t capacity,
                   const eccel_plan *plan, eccel_outcome *outcome);

// A response of a stream.
typedef struct {
    size_t words;
    uint64_t done;      // clock of its last word, counted from the first clock of the stream
} eccel_answer;

// Sends packets as fast as the engine accepts them, and collects as many responses in the order in which they come.
// `words` holds the requests one after the other, `lengths` their numbers of words. The responses are written to
// `response` one after the other.
int eccel_model_stream(eccel_model *model, const uint32_t *words, const size_t *lengths, size_t count, uint32_t *response,
                 size_t capacity, eccel_answer *answers, const eccel_plan *plan);

// Live use: packets wait in a queue until the engine accepts them, and responses until somebody takes them.
//
// Queues a packet.
void eccel_model_send(eccel_model *model, const uint32_t *words, size_t count);

// Runs at most `clocks` clocks. Ends earlier when a response is complete, and when every packet has its response.
// Returns the number of clocks.
uint64_t eccel_model_run(eccel_model *model, uint64_t clocks);

// Takes the oldest response. Returns its number of words, 0 if there is none; words beyond `capacity` are lost.
// cycles: from the last word of its request accepted to its first word valid.
size_t eccel_model_receive(eccel_model *model, uint32_t *words, size_t capacity, uint64_t *cycles);

// Packets that are queued or have no response yet. eccel_model_forget forgets them, and all responses: use it with
// eccel_model_reset.
size_t eccel_model_pending(const eccel_model *model);
void eccel_model_forget(eccel_model *model);

// Words that were queued for the entropy port and are still there.
size_t eccel_model_entropy_left(const eccel_model *model);

// Clocks since eccel_model_open, resets included.
uint64_t eccel_model_clocks(const eccel_model *model);

// busy_o.
int eccel_model_busy(const eccel_model *model);

// 1 if the model was built with event recording.
int eccel_model_has_events(void);
void eccel_model_events_record(eccel_model *model, int enable);
// Keeps the activity of every clock as a number: how many state bits change at its end, at most 65,535. The state is
// all flip-flops and the read registers of all RAMs, not the words of the RAMs. Numbers so far are forgotten.
void eccel_model_activity_record(eccel_model *model, int enable);
// Copies at most `capacity` numbers, oldest first, then forgets all of them; returns the number copied.
size_t eccel_model_activity_take(eccel_model *model, uint16_t *values, size_t capacity);

// Changes of flip-flops after which 16 bits and the value before them add up to one of `count` sums (modulo 2^16): a
// register that goes from one share of a secret to the other. Looked for while activity is recorded, if count is not 0.
typedef struct {
    uint64_t clock;
    uint64_t bit;  // as in eccel_model_flip: the lowest one
} eccel_sum;
void eccel_model_sums_watch(eccel_model *model, const uint16_t *sums, size_t count);
size_t eccel_model_sums_count(const eccel_model *model);
// Copies at most `capacity` changes, oldest first, then forgets all of them; returns the number copied.
size_t eccel_model_sums_take(eccel_model *model, eccel_sum *changes, size_t capacity);

// Places of faults. Other builds than that with events have no bits in any of them.
enum { ECCEL_PLACE_STATE = 0, ECCEL_PLACE_REGISTERS = 1, ECCEL_PLACE_MAILBOX = 2, ECCEL_PLACE_MICROCODE = 3 };
uint64_t eccel_model_state_bits(const eccel_model *model, int place);
// Flips a bit of a place before clock `clock` of the next exchange, which counts from 0. Flips add up, and those that
// have not happened at the end of the exchange are forgotten.
void eccel_model_flip(eccel_model *model, uint64_t clock, int place, uint64_t bit);

// Called before a clock of an exchange. state: a hash of flip-flops, memories, the entropy source and the words that
// went in and out so far. Where it is equal, an exchange without stalls goes on in the same way.
typedef void eccel_visitor(void *data, uint64_t clock, uint64_t state);
// Has the visitor called before each of these clocks of the next exchange, which are in ascending order. It may flip
// bits before the same clock, choose other visits, and fork the process. Visits that have not happened at the end of
// the exchange are forgotten. Other builds than that with events call nobody.
void eccel_model_visit(eccel_model *model, const uint64_t *clocks, size_t count, eccel_visitor *visitor, void *data);
size_t eccel_model_events_count(const eccel_model *model);
// Copies at most `capacity` events, oldest first, then forgets all of them; returns the number copied.
size_t eccel_model_events_take(eccel_model *model, eccel_event *events, size_t capacity);

// Starts a waveform file; returns 0, or -1 when the model was built without tracing.
int eccel_model_wave(eccel_model *model, const char *path);

#ifdef __cplusplus
}
#endif

#endif
