// Drives one Verilated engine through its packet ports. See harness.h for the contract.
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
//
// In each clock the harness lets the model settle with the clock low, samples the handshakes, and raises the clock.
// Inputs therefore change while the clock is low, and every handshake is seen exactly once.
//
// ECCEL_EVENTS      record instruction and field-unit events, and activity; ECCEL_SIG_* name the model's public signals,
//                   and state_members.h has the model's state (see state_access.h)
// ECCEL_TRACE_VCD, ECCEL_TRACE_FST    write a waveform

#include "harness.h"
#include "packet_ports.h"

#include <algorithm>
#include <deque>
#include <fcntl.h>
#include <memory>
#include <unistd.h>
#include <unordered_map>
#include <vector>

#include "Vengine.h"
#include "verilated.h"
#ifdef ECCEL_EVENTS
#include "state_access.h"
#endif
#ifdef ECCEL_TRACE_VCD
#include "verilated_vcd_c.h"
using Tracer = VerilatedVcdC;
#elif defined(ECCEL_TRACE_FST)
#include "verilated_fst_c.h"
using Tracer = VerilatedFstC;
#endif
#if defined(ECCEL_TRACE_VCD) || defined(ECCEL_TRACE_FST)
#define ECCEL_TRACE 1
#endif

struct eccel_model {
    VerilatedContext context;
    std::unique_ptr<Vengine> top;
    uint64_t clocks = 0;
    int entropy_source = ECCEL_ENTROPY_NONE;
    uint64_t entropy_state = 0;
    uint32_t entropy_word = 0;
    std::deque<uint32_t> entropy_queue;
    // Live use. A word of a request, and whether it is the last one of its packet.
    struct Word {
        uint32_t data;
        bool last;
    };
    struct Response {
        std::vector<uint32_t> words;
        uint64_t cycles;
    };
    std::deque<Word> requests;
    std::deque<Response> responses;
    Response partial;
    bool at_header = true;               // the next request word is the first one of a packet
    uint32_t tag = 0;                    // of the packet that is being sent
    std::unordered_map<uint32_t, uint64_t> sent_at;  // by tag
    size_t pending = 0;
#ifdef ECCEL_EVENTS
    bool recording = false;
    bool was_valid = false;
    uint32_t last_pc = 0;
    std::vector<eccel_event> events;
    bool watching = false;
    std::unique_ptr<StateAccess> state;
    std::vector<uint16_t> activity;
    std::vector<eccel_sum> sums;
    std::vector<uint64_t> sum_bits;
    // Bits to flip in the next exchange, in the order of their clocks.
    struct Flip {
        uint64_t clock;
        int place;
        uint64_t bit;
    };
    std::deque<Flip> flips;
    // Whom to call in the next exchange, and before which clocks.
    std::deque<uint64_t> visits;
    eccel_visitor *visitor = nullptr;
    void *visitor_data = nullptr;
#endif
#ifdef ECCEL_TRACE
    std::unique_ptr<Tracer> tracer;
#endif

    // splitmix64: any seed, also 0, gives a full-period sequence.
    uint32_t random_word() {
        entropy_state += 0x9e3779b97f4a7c15ull;
        uint64_t z = entropy_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return static_cast<uint32_t>((z ^ (z >> 31)) >> 16);
    }

    void drive_entropy() {
        const bool queued = !entropy_queue.empty();
        top->ent_i = entropy_port(queued || entropy_source != ECCEL_ENTROPY_NONE,
                                  queued ? entropy_queue.front() : entropy_word);
    }

    void take_entropy() {
        if (!entropy_queue.empty())
            entropy_queue.pop_front();
        else if (entropy_source == ECCEL_ENTROPY_SEED)
            entropy_word = random_word();
        drive_entropy();
    }

    void dump() {
#ifdef ECCEL_TRACE
        if (tracer) tracer->dump(context.time());
#endif
    }

    // First half of a clock: outputs are settled and may be sampled afterwards.
    void settle() {
        top->clk_i = 0;
        top->eval();
        dump();
        context.timeInc(1);
    }

    // Second half: the rising edge. Handshakes of this clock take effect.
    void rise() {
        record();
        const bool entropy_taken = entropy_valid(top->ent_i) && top->ent_ready_o;
        top->clk_i = 1;
        top->eval();
        record_activity();
        dump();
        context.timeInc(1);
        ++clocks;
        if (entropy_taken) take_entropy();
    }

    void record() {
#ifdef ECCEL_EVENTS
        if (!recording) return;
        const auto *root = top->rootp;
        const bool valid = root->ECCEL_SIG_instr_valid;
        const uint32_t pc = root->ECCEL_SIG_instr_pc;
        // An instruction that waits keeps its program counter: it is one event.
        if (valid && !(was_valid && pc == last_pc)) events.push_back({clocks, ECCEL_EVENT_INSTRUCTION, pc});
        was_valid = valid;
        last_pc = pc;
        if (root->ECCEL_SIG_fu_valid && root->ECCEL_SIG_fu_ready)
            events.push_back({clocks, ECCEL_EVENT_FIELD_ISSUE, static_cast<uint32_t>(root->ECCEL_SIG_fu_op)});
        if (root->ECCEL_SIG_fu_done) events.push_back({clocks, ECCEL_EVENT_FIELD_DONE, 0});
#endif
    }

    // Nothing between two rising edges changes a register, so this compares each edge with the one before it.
    void record_activity() {
#ifdef ECCEL_EVENTS
        if (!watching) return;
        activity.push_back(static_cast<uint16_t>(std::min(state->distance(), 0xffffu)));
        sum_bits.clear();
        state->find_sums(sum_bits);
        for (const uint64_t bit : sum_bits) sums.push_back({clocks, bit});
#endif
    }

    // The faults of a clock of an exchange, before the model settles.
    void inject(uint64_t now) {
#ifdef ECCEL_EVENTS
        while (!flips.empty() && flips.front().clock <= now) {
            state->flip(flips.front().place, flips.front().bit);
            flips.pop_front();
        }
#else
        (void)now;
#endif
    }

    // The visits of a clock of an exchange, of which `sent` words of the request and these of the response are done.
    void visit(uint64_t now, uint64_t sent, const uint32_t *response, size_t received) {
#ifdef ECCEL_EVENTS
        while (!visits.empty() && visits.front() <= now) {
            visits.pop_front();
            uint64_t number = StateAccess::mix(state->digest(), sent);
            for (size_t i = 0; i < received; ++i) number = StateAccess::mix(number, response[i]);
            for (const uint32_t word : entropy_queue) number = StateAccess::mix(number, word);
            visitor(visitor_data, now, StateAccess::mix(StateAccess::mix(number, entropy_state), entropy_word));
        }
#else
        (void)now;
        (void)sent;
        (void)response;
        (void)received;
#endif
    }

    void quiet() {
        top->req_i = packet_port(false, false, 0);
        top->rsp_ready_i = 0;
        top->zeroise_i = 0;
    }

    void idle(uint64_t count) {
        quiet();
        for (uint64_t i = 0; i < count; ++i) {
            settle();
            rise();
        }
    }

    void reset(uint32_t count) {
        top->rst_ni = 0;
        idle(count);
        top->rst_ni = 1;
    }
};

extern "C" {

eccel_model *eccel_model_open(const char *directory) {
    // $readmemh opens relative names when the model is first evaluated: do that inside the directory of the images.
    const int previous = ::open(".", O_RDONLY | O_DIRECTORY);
    if (previous < 0) return nullptr;
    if (::chdir(directory) != 0) {
        ::close(previous);
        return nullptr;
    }
    auto model = std::make_unique<eccel_model>();
#ifdef ECCEL_TRACE
    model->context.traceEverOn(true);
#endif
    model->top = std::make_unique<Vengine>(&model->context, "engine");
#ifdef ECCEL_EVENTS
    model->state = std::make_unique<StateAccess>(model->top->rootp);
#endif
    model->drive_entropy();
    model->reset(1);
    const bool restored = ::fchdir(previous) == 0;
    ::close(previous);
    return restored ? model.release() : nullptr;
}

void eccel_model_close(eccel_model *model) {
#ifdef ECCEL_TRACE
    if (model->tracer) model->tracer->close();
#endif
    // Scopes take themselves out of the thread's context, which may be that of a model closed before.
    Verilated::threadContextp(&model->context);
    model->top->final();
    delete model;
}

void eccel_model_reset(eccel_model *model, uint32_t clocks) { model->reset(clocks); }

void eccel_model_idle(eccel_model *model, uint64_t clocks) { model->idle(clocks); }

void eccel_model_entropy(eccel_model *model, int source, uint64_t value) {
    model->entropy_source = source;
    model->entropy_state = value;
    model->entropy_word = source == ECCEL_ENTROPY_SEED ? model->random_word() : static_cast<uint32_t>(value);
    model->entropy_queue.clear();
    model->drive_entropy();
}

void eccel_model_entropy_words(eccel_model *model, const uint32_t *words, size_t count) {
    model->entropy_queue.insert(model->entropy_queue.end(), words, words + count);
    model->drive_entropy();
}

int eccel_model_exchange(eccel_model *model, const uint32_t *request, size_t count, uint32_t *response, size_t capacity,
                   const eccel_plan *plan, eccel_outcome *outcome) {
    Vengine &top = *model->top;
    size_t sent = 0;
    size_t received = 0;
    bool offered = false;  // a word stays valid until it is transferred, as the handshake requires
    bool answered = false;
    bool complete = false;
    uint64_t sent_at = 0;
    int result = ECCEL_WATCHDOG;
    *outcome = {0, 0, 0};
    uint64_t now = 0;
    for (; now < plan->watchdog; ++now) {
        if (now == plan->reset_at) {
            model->reset(1);
            result = ECCEL_WAS_RESET;
            break;
        }
        const bool more = sent < count;
        offered = more && (offered || !(plan->req_stall >> (now & 31) & 1));
        top.req_i = packet_port(offered, more && sent + 1 == count, more ? request[sent] : 0);
        top.rsp_ready_i = !complete && !(plan->rsp_stall >> (now & 31) & 1);
        top.zeroise_i = now == plan->zeroise_at;
        model->visit(now, sent, response, received);
        model->inject(now);
        model->settle();
        if (packet_valid(top.rsp_o) && !answered) {
            answered = true;
            outcome->cycles = sent == count ? now - sent_at : 0;
        }
        const bool take = packet_valid(top.rsp_o) && top.rsp_ready_i;
        if (take) {
            if (received == capacity) {
                result = ECCEL_OVERFLOW;
                break;
            }
            response[received++] = packet_data(top.rsp_o);
            complete = packet_last(top.rsp_o);
        }
        if (offered && top.req_ready_o) {
            ++sent;
            sent_at = now;
            offered = false;
        }
        model->rise();
        if (complete && sent == count) {
            ++now;
            result = ECCEL_DONE;
            break;
        }
    }
    model->quiet();
#ifdef ECCEL_EVENTS
    model->flips.clear();
    model->visits.clear();
#endif
    outcome->total = now;
    outcome->words = received;
    return result;
}

int eccel_model_stream(eccel_model *model, const uint32_t *words, const size_t *lengths, size_t count, uint32_t *response,
                 size_t capacity, eccel_answer *answers, const eccel_plan *plan) {
    Vengine &top = *model->top;
    size_t packet = 0, word = 0, answered = 0, received = 0, begun = 0;
    bool offered = false;
    int result = ECCEL_WATCHDOG;
    uint64_t last = 0;  // response
    for (uint64_t now = 0; now - last < plan->watchdog; ++now) {
        if (now == plan->reset_at) {
            model->reset(1);
            result = ECCEL_WAS_RESET;
            break;
        }
        const bool more = packet < count;
        offered = more && (offered || !(plan->req_stall >> (now & 31) & 1));
        const bool ends = more && word + 1 == begun + lengths[packet];
        top.req_i = packet_port(offered, ends, more ? words[word] : 0);
        top.rsp_ready_i = answered < count && !(plan->rsp_stall >> (now & 31) & 1);
        top.zeroise_i = now == plan->zeroise_at;
        model->settle();
        if (packet_valid(top.rsp_o) && top.rsp_ready_i) {
            if (received == capacity) {
                result = ECCEL_OVERFLOW;
                break;
            }
            response[received++] = packet_data(top.rsp_o);
            ++answers[answered].words;
            if (packet_last(top.rsp_o)) answers[answered++].done = last = now;
        }
        if (offered && top.req_ready_o) {
            if (ends) begun += lengths[packet++];
            ++word;
            offered = false;
        }
        model->rise();
        if (answered == count && packet == count) {
            result = ECCEL_DONE;
            break;
        }
    }
    model->quiet();
    return result;
}

void eccel_model_send(eccel_model *model, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; ++i) model->requests.push_back({words[i], i + 1 == count});
    ++model->pending;
}

uint64_t eccel_model_run(eccel_model *model, uint64_t clocks) {
    Vengine &top = *model->top;
    uint64_t done = 0;
    bool complete = false;
    while (done < clocks && model->pending && !complete) {
        const bool more = !model->requests.empty();
        const eccel_model::Word word = more ? model->requests.front() : eccel_model::Word{0, false};
        top.req_i = packet_port(more, word.last, word.data);
        top.rsp_ready_i = 1;
        top.zeroise_i = 0;
        model->settle();
        if (packet_valid(top.rsp_o)) {
            const uint32_t data = packet_data(top.rsp_o);
            if (model->partial.words.empty()) {
                const auto sent = model->sent_at.find(data >> 16);
                const bool known = sent != model->sent_at.end();
                model->partial.cycles = known ? model->clocks - sent->second : 0;
                if (known) model->sent_at.erase(sent);
            }
            model->partial.words.push_back(data);
            complete = packet_last(top.rsp_o);
        }
        if (more && top.req_ready_o) {
            if (model->at_header) model->tag = word.data >> 16;
            model->at_header = word.last;
            if (word.last) model->sent_at[model->tag] = model->clocks;
            model->requests.pop_front();
        }
        model->rise();
        ++done;
        if (complete) {
            model->responses.push_back(std::move(model->partial));
            model->partial = {};
            --model->pending;
        }
    }
    model->quiet();
    return done;
}

size_t eccel_model_receive(eccel_model *model, uint32_t *words, size_t capacity, uint64_t *cycles) {
    if (model->responses.empty()) return 0;
    const auto &response = model->responses.front();
    const size_t count = response.words.size() < capacity ? response.words.size() : capacity;
    std::copy_n(response.words.begin(), count, words);
    *cycles = response.cycles;
    model->responses.pop_front();
    return count;
}

size_t eccel_model_pending(const eccel_model *model) { return model->pending; }

void eccel_model_forget(eccel_model *model) {
    model->requests.clear();
    model->responses.clear();
    model->partial = {};
    model->at_header = true;
    model->sent_at.clear();
    model->pending = 0;
}

size_t eccel_model_entropy_left(const eccel_model *model) { return model->entropy_queue.size(); }

uint64_t eccel_model_clocks(const eccel_model *model) { return model->clocks; }

int eccel_model_busy(const eccel_model *model) { return model->top->busy_o; }

int eccel_model_has_events(void) {
#ifdef ECCEL_EVENTS
    return 1;
#else
    return 0;
#endif
}

void eccel_model_events_record(eccel_model *model, int enable) {
#ifdef ECCEL_EVENTS
    model->recording = enable != 0;
    model->was_valid = false;
    model->state->distance();
#else
    (void)model;
    (void)enable;
#endif
}

void eccel_model_activity_record(eccel_model *model, int enable) {
#ifdef ECCEL_EVENTS
    model->watching = enable != 0;
    model->state->distance();
    model->activity.clear();
#else
    (void)model;
    (void)enable;
#endif
}

size_t eccel_model_activity_take(eccel_model *model, uint16_t *values, size_t capacity) {
#ifdef ECCEL_EVENTS
    const size_t count = std::min(model->activity.size(), capacity);
    std::copy_n(model->activity.begin(), count, values);
    model->activity.clear();
    return count;
#else
    (void)model;
    (void)values;
    (void)capacity;
    return 0;
#endif
}

void eccel_model_sums_watch(eccel_model *model, const uint16_t *sums, size_t count) {
#ifdef ECCEL_EVENTS
    model->state->watch_sums(sums, count);
    model->sums.clear();
#else
    (void)model;
    (void)sums;
    (void)count;
#endif
}

size_t eccel_model_sums_count(const eccel_model *model) {
#ifdef ECCEL_EVENTS
    return model->sums.size();
#else
    (void)model;
    return 0;
#endif
}

size_t eccel_model_sums_take(eccel_model *model, eccel_sum *changes, size_t capacity) {
#ifdef ECCEL_EVENTS
    const size_t count = std::min(model->sums.size(), capacity);
    std::copy_n(model->sums.begin(), count, changes);
    model->sums.clear();
    return count;
#else
    (void)model;
    (void)changes;
    (void)capacity;
    return 0;
#endif
}

uint64_t eccel_model_state_bits(const eccel_model *model, int place) {
#ifdef ECCEL_EVENTS
    return model->state->bits(place);
#else
    (void)model;
    (void)place;
    return 0;
#endif
}

void eccel_model_flip(eccel_model *model, uint64_t clock, int place, uint64_t bit) {
#ifdef ECCEL_EVENTS
    const auto later = [clock](const eccel_model::Flip &flip) { return flip.clock > clock; };
    model->flips.insert(std::find_if(model->flips.begin(), model->flips.end(), later), {clock, place, bit});
#else
    (void)model;
    (void)clock;
    (void)place;
    (void)bit;
#endif
}

void eccel_model_visit(eccel_model *model, const uint64_t *clocks, size_t count, eccel_visitor *visitor, void *data) {
#ifdef ECCEL_EVENTS
    model->visits.assign(clocks, clocks + count);
    model->visitor = visitor;
    model->visitor_data = data;
#else
    (void)model;
    (void)clocks;
    (void)count;
    (void)visitor;
    (void)data;
#endif
}

size_t eccel_model_events_count(const eccel_model *model) {
#ifdef ECCEL_EVENTS
    return model->events.size();
#else
    (void)model;
    return 0;
#endif
}

size_t eccel_model_events_take(eccel_model *model, eccel_event *events, size_t capacity) {
#ifdef ECCEL_EVENTS
    const size_t count = model->events.size() < capacity ? model->events.size() : capacity;
    for (size_t i = 0; i < count; ++i) events[i] = model->events[i];
    model->events.clear();
    return count;
#else
    (void)model;
    (void)events;
    (void)capacity;
    return 0;
#endif
}

int eccel_model_wave(eccel_model *model, const char *path) {
#ifdef ECCEL_TRACE
    model->tracer = std::make_unique<Tracer>();
    model->top->trace(model->tracer.get(), 99);
    model->tracer->open(path);
    return model->tracer->isOpen() ? 0 : -1;
#else
    (void)model;
    (void)path;
    return -1;
#endif
}

}  // extern "C"
