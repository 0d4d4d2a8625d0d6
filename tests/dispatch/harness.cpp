// eccel_dispatch between a host that stalls at random and ENGINES model engines of THREADS_OF job ports, for elements of
// WIDTHS_OF words (lists with an entry for each engine).
//
// A model engine forms groups as a turbo engine does, takes some clocks for one, and answers with a hash of the operands.
// It can be told to fail in one of the ways of `Break`. The rules of the handshakes are checked in every clock: a breach is
// kept as a text (unit_breach).

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "Vunit.h"
#include "packet_ports.h"
#include "verilated.h"

namespace {

using u32 = uint32_t;
using u64 = uint64_t;

enum Op : u32 { ECDH = 0x06, KEYGEN = 0x09, KEY_LOAD = 0x0a, CURVE_LOAD = 0x20, ZEROISE = 0x21, SELF_TEST = 0x22 };
enum Status : u32 { OK = 0, BAD_OP = 0x10, BAD_LENGTH = 0x11, BAD_CURVE = 0x12, NO_KEY = 0x17, SELF_TEST_FAILED = 0x1a, ZEROISED = 0x1b };
enum Break : int { NONE, STUCK, DEAF, WRONG_TAG, OLD_TAG, WRONG_OP, EARLY_LAST, LATE_LAST, TWICE, UNASKED, HALF, RESERVED, TOO_LONG };

struct Random {
    u64 state;
    u32 next() {
        state += 0x9e3779b97f4a7c15ull;
        u64 z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return static_cast<u32>((z ^ (z >> 31)) >> 16);
    }
    u32 below(u32 n) { return n ? next() % n : 0; }
    bool percent(u32 p) { return below(100) < p; }
};

constexpr u32 threads_of[ENGINES] = {THREADS_OF}, widths_of[ENGINES] = {WIDTHS_OF};

struct Settings {
    u32 req_stall, rsp_stall;    // percent of clocks in which the host holds back
    u32 eng_stall;               // percent of clocks in which an engine does not accept or give a word
    u32 run_min, run_max;        // clocks of a group
    u32 wait;                    // clocks that an incomplete group waits
};

struct Job {
    std::vector<u32> words;
    u32 kind() const { return words.size() > 1 ? (words[0] & 0xff) | (words[1] >> 16 & 0xff) << 8 | (words[1] & 0xff) << 16 : ~0u; }
};

struct Engine {
    Random random{0};
    // commands
    int fault = NONE;
    u32 fault_after = 0;
    bool permanent = false, self_test_fails = false;
    // state
    u32 threads = 0, width = 0;
    bool loaded = false, key_valid = false, broken = false;
    u32 curve = 0, key = 0, answered = 0, wiping = 0;
    std::vector<u32> packet, entropy;
    std::deque<Job> waiting;
    std::vector<Job> running;
    u64 first_at = 0, ends_at = 0;
    std::deque<std::vector<u32>> responses;
    size_t sent = 0;
    std::vector<u32> last_response;
    bool alarm = false;
    u32 alarm_falls = 0;  // in so many clocks
    bool late = false;
    // statistics
    u32 groups = 0, jobs = 0, resets = 0;
    bool was_reset = false;
    // this clock's outputs
    bool ready = false, valid = false, last = false, draws = false;
    u32 data = 0;

    void reset() {
        loaded = key_valid = broken = late = valid = ready = false;
        if (!permanent) fault = NONE;
        packet.clear();
        entropy.clear();
        waiting.clear();
        running.clear();
        responses.clear();
        sent = 0;
        wiping = 0;
        answered = 0;
        if (alarm) alarm_falls = 2;
    }

    size_t held() const { return waiting.size() + running.size() + responses.size(); }

    static u32 hash(u32 seed, const std::vector<u32> &words, size_t from) {
        u32 h = 2166136261u ^ seed;
        for (size_t i = from; i < words.size(); ++i) h = (h ^ words[i]) * 16777619u;
        return h;
    }

    std::vector<u32> answer(const Job &job) {
        const auto &w = job.words;
        const u32 op = w[0] & 0xff, words = w.size() > 1 ? w[1] >> 24 : 0, flags = w.size() > 1 ? w[1] >> 16 & 0xff : 0;
        const u32 id = w[0] >> 8 & 0xff;
        u32 status = OK, results = 0, h = 0;
        if (w.size() < 2 || (w[1] & 0xffff) != w.size() - 2 || words != width) status = BAD_LENGTH;
        else if (op > 0x2f || flags > 15) status = BAD_OP;
        else if (op == CURVE_LOAD) { loaded = true; curve = id; key_valid = false; if (w[2] == 0xbad) status = BAD_CURVE, loaded = false; }
        else if (op == ZEROISE) key_valid = false;
        else if (!loaded || id != curve) status = BAD_CURVE;
        else if (op == SELF_TEST) status = self_test_fails ? SELF_TEST_FAILED : OK;
        else if (op == KEY_LOAD) { key = hash(0, w, 2); key_valid = true; }
        else if (op == KEYGEN) { key = hash(0, entropy, 0); key_valid = true; h = key; results = 2; }
        else if (op == ECDH && (flags & 1)) { if (key_valid) { h = hash(key, w, 2); results = 1; } else status = NO_KEY; }
        else { h = hash(w[1], w, 2); results = op % 3; }
        std::vector<u32> r{(w[0] & 0xffff0000u) | op << 8 | status, results * width};
        for (u32 i = 0; i < results * width; ++i) r.push_back(h + i * 0x9e3779b9u);
        return r;
    }

    // The outputs of this engine before the rising edge.
    void show(const Settings &s, u64 now) {
        if (broken && fault == DEAF) ready = false;
        else ready = !wiping && held() < threads && !random.percent(s.eng_stall);
        if (!valid && !responses.empty() && !(broken && (fault == STUCK || fault == DEAF))) {
            if (!random.percent(s.eng_stall) && !(broken && fault == HALF && sent == 2)) {
                valid = true;
                data = responses.front()[sent];
                last = sent + 1 == responses.front().size();
                if (broken && fault == EARLY_LAST && sent == 1) last = true;
                if (broken && fault == LATE_LAST) last = false;
            }
        }
        (void)now;
    }

    void take(u32 word, bool ends, u64 now) {
        packet.push_back(word);
        if (!ends) return;
        if (waiting.empty()) first_at = now;
        waiting.push_back({packet});
        packet.clear();
        ++jobs;
    }

    void gave() {
        valid = false;
        ++sent;
        if (sent < responses.front().size()) return;
        if (broken && fault == LATE_LAST) { sent = responses.front().size() - 1; return; }
        last_response = responses.front();
        responses.pop_front();
        sent = 0;
        ++answered;
    }

    void step(const Settings &s, u64 now) {
        if (wiping) --wiping;
        if (fault != NONE && !broken && answered >= fault_after) broken = true;
        if (broken && fault == UNASKED && responses.empty() && held() == 0) {
            responses.push_back({0x00070100u, 0});
            fault = NONE;
        }
        if (broken && fault == TWICE && !last_response.empty() && responses.empty()) {
            responses.push_back(last_response);
            fault = NONE;
        }
        if (running.empty() && !waiting.empty() && responses.empty() && (!broken || fault != STUCK)) {
            const u32 kind = waiting.front().kind();
            size_t same = 0;
            for (const Job &job : waiting) same += job.kind() == kind;
            if (same == threads || now - first_at >= s.wait || kind == ~0u) {
                std::deque<Job> others;
                for (Job &job : waiting) (job.kind() == kind && running.size() < threads ? (void)running.push_back(job) : (void)others.push_back(job));
                waiting = others;
                first_at = now;
                ends_at = now + s.run_min + random.below(s.run_max - s.run_min + 1);
                ++groups;
                const Job &lead = running.front();
                draws = (lead.words[0] & 0xff) == KEYGEN && lead.words.size() == 2 && loaded;
                entropy.clear();
            }
        }
        if (!running.empty() && now >= ends_at && (!draws || entropy.size() == 5)) {
            draws = false;
            for (const Job &job : running) {
                auto r = answer(job);
                if (broken) {
                    if (fault == WRONG_TAG) r[0] ^= 1u << (16 + random.below(4)), fault = NONE;
                    else if (fault == OLD_TAG) r[0] ^= 1u << (20 + random.below(4)), fault = NONE;
                    else if (fault == WRONG_OP) r[0] ^= 0x100u << random.below(8), fault = NONE;
                    else if (fault == RESERVED) r[1] |= 0x10000u << random.below(16), fault = NONE;
                    else if (fault == TOO_LONG) r.insert(r.end(), 40, 7u), r[1] = static_cast<u32>(r.size()) - 2, fault = NONE;
                }
                // in any order
                responses.insert(responses.begin() + (responses.empty() || sent ? responses.size() : random.below(static_cast<u32>(responses.size()) + 1)), r);
            }
            running.clear();
        }
    }

    void zeroise() {
        wiping = 200;
        key_valid = false;
        for (const Job &job : running) {
            responses.push_back({(job.words[0] & 0xffff0000u) | (job.words[0] & 0xff) << 8 | ZEROISED, 0});
        }
        running.clear();
        draws = false;
    }
};

struct Unit {
    VerilatedContext context;
    Vunit top{&context};
    Engine engines[ENGINES];
    Settings settings{0, 0, 0, 20, 40, 50};
    Random random{0};
    u64 clock = 0;
    std::string breach;
    std::vector<u32> drawn;
    bool zeroise = false;

    void broke(const std::string &what) {
        if (breach.empty()) breach = what + " at clock " + std::to_string(clock);
    }

    static bool bit(u32 mask, int e) { return mask >> e & 1; }

    // One clock. `offered`, `word` and `last` are the host's request. Returns what happened.
    struct Result { bool taken, came, last; u32 data; };
    Result step(bool offered, u32 word, bool last, bool willing) {
        top.clk_i = 0;
        top.req_i = packet_port(offered, offered && last, offered ? word : 0xdeadbeefu);
        top.rsp_ready_i = willing;
        const bool source = !random.percent(30);
        const u32 entropy = random.next();
        top.ent_i = entropy_port(source, entropy);
        top.zeroise_i = zeroise;
        u32 ready = 0, draws = 0, busy = 0, alarms = 0;
        for (int e = 0; e < ENGINES; ++e) {
            Engine &engine = engines[e];
            engine.show(settings, clock);
            ready |= u32(engine.ready) << e;
            draws |= u32(engine.draws && engine.entropy.size() < 5) << e;
            busy |= u32(engine.held() != 0) << e;
            alarms |= u32(engine.alarm) << e;
            if (engine.alarm_falls && --engine.alarm_falls == 0) engine.alarm = false;
            top.eng_rsp_i[e] = packet_port(engine.valid, engine.last, engine.data);
        }
        top.eng_req_ready_i = ready;
        top.eng_ent_ready_i = draws;
        top.eng_busy_i = busy;
        top.eng_alarm_i = alarms;
        top.eval();
        Result result{offered && top.req_ready_o, packet_valid(top.rsp_o) && willing, packet_last(top.rsp_o), packet_data(top.rsp_o)};
        const bool held = packet_valid(top.rsp_o) && !willing;
        const u64 held_word = top.rsp_o;
        if (top.ent_ready_o && source) drawn.push_back(entropy);
        u32 waits = 0;
        u64 words[ENGINES];
        for (int e = 0; e < ENGINES; ++e) {
            Engine &engine = engines[e];
            words[e] = top.eng_req_o[e];
            if (!bit(top.eng_rst_no, e)) {
                if (!engine.was_reset) ++engine.resets;
                engine.was_reset = true;
                engine.reset();
                continue;
            }
            engine.was_reset = false;
            if (packet_valid(words[e])) {
                if (engine.ready) engine.take(packet_data(words[e]), packet_last(words[e]), clock);
                else waits |= 1u << e;
            }
            if (engine.valid && bit(top.eng_rsp_ready_o, e)) engine.gave();
            if (bit(draws, e) && entropy_valid(top.eng_ent_o[e])) engine.entropy.push_back(entropy_data(top.eng_ent_o[e]));
            if (bit(top.eng_zeroise_o, e)) engine.zeroise();
            engine.step(settings, clock);
        }
        top.clk_i = 1;
        top.eval();
        ++clock;
        zeroise = false;
        if (held && top.rst_ni && top.rsp_o != held_word)
            broke("a response word changes before it is taken");
        for (int e = 0; e < ENGINES; ++e)
            if (bit(waits, e) && bit(top.eng_rst_no, e) && top.eng_req_o[e] != words[e])
                broke("a request word changes before it is taken");
        return result;
    }

    void reset(int clocks) {
        top.rst_ni = 0;
        for (int i = 0; i < clocks; ++i) step(false, 0, false, false);
        top.rst_ni = 1;
    }
};

}  // namespace

extern "C" {

void *unit_open() {
    auto *unit = new Unit;
    unit->reset(3);
    for (int e = 0; e < ENGINES; ++e) {
        unit->engines[e].resets = 0;
        unit->engines[e].threads = threads_of[e];
        unit->engines[e].width = widths_of[e];
    }
    return unit;
}

void unit_close(Unit *unit) { delete unit; }

void unit_settings(Unit *unit, const Settings *settings, u64 seed) {
    unit->settings = *settings;
    unit->random.state = seed;
    for (int e = 0; e < ENGINES; ++e) unit->engines[e].random.state = seed * 31 + e + 1;
}

void unit_break(Unit *unit, int engine, int how, u32 after, int permanent) {
    Engine &e = unit->engines[engine];
    e.fault = how;
    e.fault_after = e.answered + after;
    e.permanent = permanent;
    e.broken = false;
}

void unit_alarm(Unit *unit, int engine) { unit->engines[engine].alarm = true; }

void unit_fail_self_test(Unit *unit, int engine) { unit->engines[engine].self_test_fails = true; }

// Streams `count` packets. Stops when `expect` responses are there and `idle` clocks have passed since, or after `limit`
// clocks. Returns the number of responses. Their words follow each other; response i has sizes[i] words and ends at clock
// done[i].
u32 unit_run(Unit *unit, const u32 *words, const u32 *packets, u32 count, u32 *response, u32 capacity, u32 *sizes,
             u64 *done, u32 expect, u64 idle, u64 limit, u64 zeroise_at) {
    u32 packet = 0, word = 0, begun = 0, received = 0, answered = 0, size = 0;
    bool offered = false;
    u64 quiet = 0;
    for (u64 now = 0; now < limit && quiet <= idle; ++now) {
        const bool more = packet < count;
        offered = more && (offered || !unit->random.percent(unit->settings.req_stall));
        unit->zeroise = now == zeroise_at;
        const auto r = unit->step(offered, more ? words[word] : 0, more && word + 1 == begun + packets[packet],
                                  !unit->random.percent(unit->settings.rsp_stall));
        if (r.taken) {
            if (word + 1 == begun + packets[packet]) begun += packets[packet++];
            ++word;
            offered = false;
        }
        if (r.came) {
            if (received == capacity) return ~0u;
            response[received++] = r.data;
            ++size;
            if (r.last) {
                if (answered == expect + 8) return ~0u;
                done[answered] = unit->clock;
                sizes[answered++] = size;
                size = 0;
            }
        }
        quiet = answered >= expect && packet == count ? quiet + 1 : 0;
    }
    return answered;
}

u64 unit_clock(const Unit *unit) { return unit->clock; }
u32 unit_busy(const Unit *unit) { return unit->top.busy_o; }
u32 unit_alarmed(const Unit *unit) { return unit->top.alarm_o; }
u32 unit_groups(const Unit *unit, int engine) { return unit->engines[engine].groups; }
u32 unit_jobs(const Unit *unit, int engine) { return unit->engines[engine].jobs; }
u32 unit_resets(const Unit *unit, int engine) { return unit->engines[engine].resets; }
u32 unit_drawn(const Unit *unit) { return static_cast<u32>(unit->drawn.size()); }
const char *unit_breach(const Unit *unit) { return unit->breach.c_str(); }
void unit_reset(Unit *unit, int clocks) { unit->reset(clocks); }
}
