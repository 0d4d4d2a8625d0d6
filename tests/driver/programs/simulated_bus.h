/* The bus of a program under test: the shell in Verilator, from the library of tests/driver/shell_harness.cpp.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef SIMULATED_BUS_H
#define SIMULATED_BUS_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eccel.h"

struct simulated_bus {
    void *shell;
    uint32_t (*read)(void *shell, uint32_t address);
    void (*write)(void *shell, uint32_t address, uint32_t word);
    int (*idle)(void *shell, uint32_t clocks);
    void (*zeroise)(void *shell);
    uint64_t (*errors)(void *shell);
};

static void simulated_find(void *library, const char *name, void *place)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "%s: %s\n", name, dlerror());
        exit(2);
    }
    memcpy(place, &found, sizeof found);
}

static struct simulated_bus simulated_open(const char *path)
{
    struct simulated_bus bus;
    void *(*open)(void), *library = dlopen(path, RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    simulated_find(library, "unit_open", &open);
    simulated_find(library, "unit_read", &bus.read);
    simulated_find(library, "unit_write", &bus.write);
    simulated_find(library, "unit_idle", &bus.idle);
    simulated_find(library, "unit_zeroise", &bus.zeroise);
    simulated_find(library, "unit_errors", &bus.errors);
    bus.shell = open();
    return bus;
}

static uint32_t simulated_read(void *context, uint32_t offset)
{
    struct simulated_bus *bus = context;
    return bus->read(bus->shell, offset);
}

static void simulated_write(void *context, uint32_t offset, uint32_t word)
{
    struct simulated_bus *bus = context;
    bus->write(bus->shell, offset, word);
}

#endif
