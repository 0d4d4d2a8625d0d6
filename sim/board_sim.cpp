// A Verilated board top whose serial pins are wired, bit by bit, to a pseudo-terminal.
// Copyright the eccelerate authors. SPDX-License-Identifier: Apache-2.0
//
//     board_sim PORT_FILE CLOCKS_PER_BIT [HOST_SKEW [NOISE]]
//
// It writes the name of the pseudo-terminal to PORT_FILE, and then simulates until SIGTERM or SIGINT. SIGUSR1 presses
// the reset button for some clocks, SIGUSR2 the button to zeroise where the board has one.
// Bytes of the host go over the pin as start bit, 8 data bits and stop bit of CLOCKS_PER_BIT * HOST_SKEW clocks each;
// the pin of the board is sampled in the middle of bits of CLOCKS_PER_BIT clocks. In a bit both lines are inverted for the
// length of a bit with the probability NOISE. As on a real port, what the host does
// not read is lost when the buffer of the system is full. While nothing happens the model sleeps.
//
// board_ports.h, written for each board, has PRESS_RESET, PRESS_ZEROISE, RELEASE and BUSY.

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <random>
#include <string>
#include <termios.h>
#include <unistd.h>

#include "Vengine.h"
#include "Vengine___024root.h"
#include "board_ports.h"
#include "verilated.h"

namespace {

constexpr uint64_t kChunk = 4000;          // clocks between two looks at the host
constexpr uint64_t kQuietChunks = 50;      // chunks without anything to do, after which the model sleeps
constexpr uint64_t kPressClocks = 100;     // how long a button is pressed
constexpr int kSleepMs = 5;

volatile std::sig_atomic_t ended = 0, reset = 0, zeroise = 0;

void on_signal(int number) {
    if (number == SIGUSR1)
        reset = 1;
    else if (number == SIGUSR2)
        zeroise = 1;
    else
        ended = 1;
}

[[noreturn]] void fail(const char *what) {
    std::fprintf(stderr, "board_sim: %s: %s\n", what, std::strerror(errno));
    std::exit(1);
}

// The end of the pseudo-terminal on this side. The other end is kept open, so that clients may come and go.
int open_terminal(std::string &name) {
    const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || ::grantpt(master) || ::unlockpt(master)) fail("no pseudo-terminal");
    name = ::ptsname(master);
    const int other = ::open(name.c_str(), O_RDWR | O_NOCTTY);
    termios settings;
    if (other < 0 || ::tcgetattr(other, &settings)) fail(name.c_str());
    ::cfmakeraw(&settings);
    if (::tcsetattr(other, TCSANOW, &settings)) fail(name.c_str());
    if (::fcntl(master, F_SETFL, O_NONBLOCK)) fail("pseudo-terminal");
    return master;
}

// The host's sender: at most one byte under way.
struct Sender {
    double bit;
    int left = 0;  // bits
    unsigned shift = 0;
    double clocks = 0;

    bool level() {
        if (left == 0) return true;
        const bool value = shift & 1;
        clocks += 1;
        if (clocks >= bit) {
            clocks -= bit;
            shift = shift >> 1 | 0x200;
            --left;
        }
        return value;
    }
    void start(uint8_t byte) {
        shift = 1u << 9 | unsigned(byte) << 1;
        left = 10;
    }
};

// The host's receiver.
struct Receiver {
    double bit;
    bool active = false;
    int bits = 0;
    unsigned shift = 0;
    double clocks = 0;

    // The byte that ends in this clock, or -1. A byte without a stop bit is dropped, as by a real port.
    int take(bool level) {
        if (!active) {
            active = !level;
            bits = 0;
            shift = 0;
            clocks = 0;
            return -1;
        }
        clocks += 1;
        if (clocks < (bits + 0.5) * bit) return -1;
        shift |= unsigned(level) << bits;
        if (++bits < 10) return -1;
        active = false;
        return level ? int(shift >> 1 & 0xff) : -1;
    }
};

// Inverts a line now and then, for the length of a bit.
struct Noise {
    double bit, chance;
    std::mt19937 generator;
    double left = 0;

    bool inverts() {
        if (chance <= 0) return false;
        if (left > 0)
            left -= 1;
        else if (generator() < chance / bit * 4294967296.0)
            left = bit;
        return left > 0;
    }
};

struct Board {
    VerilatedContext context;
    std::unique_ptr<Vengine> top = std::make_unique<Vengine>(&context, "board");
    Sender sender;
    Receiver receiver;
    Noise to_board{16, 0, std::mt19937(1)}, to_host{16, 0, std::mt19937(2)};
    int terminal;
    uint8_t input[256];
    size_t have = 0, used = 0;
    uint64_t pressed = 0;

    void clock() {
        if (sender.left == 0 && used < have) sender.start(input[used++]);
        if (pressed && --pressed == 0) RELEASE(top);
        top->rxd_i = sender.level() != to_board.inverts();
        top->clk_i = 0;
        top->eval();
        const int byte = receiver.take(bool(top->txd_o) != to_host.inverts());
        top->clk_i = 1;
        top->eval();
        if (byte >= 0) {
            const uint8_t out = static_cast<uint8_t>(byte);
            if (::write(terminal, &out, 1) < 0 && errno != EAGAIN) fail("write");
        }
    }

    // Takes bytes of the host if none are left. Returns whether there were some.
    bool look() {
        if (used < have) return true;
        const ssize_t count = ::read(terminal, input, sizeof input);
        used = 0;
        have = count > 0 ? static_cast<size_t>(count) : 0;
        return have > 0;
    }

    void press() {
        if (!reset && !zeroise) return;
        if (reset) PRESS_RESET(top);
        if (zeroise) PRESS_ZEROISE(top);
        reset = zeroise = 0;
        pressed = kPressClocks;
    }
};

}  // namespace

int main(int argc, char **argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: board_sim PORT_FILE CLOCKS_PER_BIT [HOST_SKEW [NOISE]]\n");
        return 2;
    }
    const double bit = std::atof(argv[2]), skew = argc > 3 ? std::atof(argv[3]) : 1.0;
    const double noise = argc > 4 ? std::atof(argv[4]) : 0.0;
    if (bit < 8 || skew <= 0 || noise < 0 || noise > 1) {
        std::fprintf(stderr, "board_sim: a bit lasts at least 8 clocks, and noise is a probability\n");
        return 2;
    }
    for (int number : {SIGTERM, SIGINT, SIGUSR1, SIGUSR2}) std::signal(number, on_signal);

    Board board;
    std::string name;
    board.terminal = open_terminal(name);
    board.sender.bit = bit * skew;
    board.receiver.bit = bit;
    board.to_board.bit = board.to_host.bit = bit;
    board.to_board.chance = board.to_host.chance = noise;
    RELEASE(board.top);
    board.clock();

    const std::string file = argv[1], part = file + ".part";
    FILE *out = std::fopen(part.c_str(), "w");
    if (!out || std::fprintf(out, "%s\n", name.c_str()) < 0 || std::fclose(out)) fail(part.c_str());
    if (std::rename(part.c_str(), file.c_str())) fail(file.c_str());

    uint64_t quiet = 0;
    pollfd event = {board.terminal, POLLIN, 0};
    while (!ended) {
        board.press();
        const bool idle = !board.look() && board.sender.left == 0 && !board.receiver.active && !board.pressed &&
                          !BUSY(board.top);
        quiet = idle ? quiet + 1 : 0;
        for (uint64_t i = 0; i < kChunk; ++i) {
            board.clock();
            if (board.used == board.have && board.sender.left == 1) board.look();  // no gap between bytes
        }
        if (quiet > kQuietChunks && ::poll(&event, 1, kSleepMs) < 0 && errno != EINTR) fail("poll");
    }
    board.top->final();
    return 0;
}
