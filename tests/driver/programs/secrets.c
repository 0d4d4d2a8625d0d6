/* Searches the memory of a process for secrets that the library should have wiped.
   SPDX-License-Identifier: Apache-2.0

   secrets URI [leak]    A device behind URI answers every ECDH with a value whose words are those of the key, plus one.
   Exit code 0 if neither the key nor that value is found after the jobs, nor in a child while a job is in flight. With
   `leak` the program keeps a copy, and must find it (exit code 5). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eccel.h"

enum { BYTES = 32, FORMS = 4, MASK = 0x5c, CHUNK = 1 << 16 };

/* Forms of the secrets, each byte changed by MASK so that this table is not what is searched for. */
static uint8_t hidden[FORMS][BYTES];

static void hide(int form, const uint8_t *secret, int reversed)
{
    for (int i = 0; i < BYTES; i++)
        hidden[form][i] = secret[reversed ? BYTES - 1 - i : i] ^ MASK;
}

/* Number of places of a form in `bytes`. Half of a secret counts. */
static int places(const uint8_t *bytes, size_t count)
{
    int found = 0;
    for (size_t at = 0; at + BYTES / 2 <= count; at++) {
        for (int form = 0; form < FORMS; form++) {
            int same = 1;
            for (int i = 0; i < BYTES / 2 && same; i++)
                same = (bytes[at + (size_t)i] ^ MASK) == hidden[form][i];
            found += same;
        }
    }
    return found;
}

static int search(void)
{
    static uint8_t chunk[CHUNK + BYTES];
    int found = 0, memory = open("/proc/self/mem", O_RDONLY);
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long long from, to;
        char rights[8];
        if (sscanf(line, "%llx-%llx %7s", &from, &to, rights) != 3 || rights[0] != 'r' || strstr(line, "[v"))
            continue;
        for (; from < to; from += CHUNK) {
            unsigned long long here = (unsigned long long)(size_t)chunk;
            if (from < here + sizeof chunk && from + CHUNK + BYTES > here)
                continue; /* what was read last */
            ssize_t got = pread(memory, chunk, CHUNK + BYTES, (off_t)from);
            if (got > 0 && places(chunk, (size_t)got)) {
                fprintf(stderr, "found in %s", line);
                found += places(chunk, (size_t)got);
            }
        }
    }
    memset(chunk, 0, sizeof chunk);
    (void)fclose(maps);
    (void)close(memory);
    return found;
}

/* Number of mappings that are not in core dumps and that a child finds empty: jobs, and the buffers of each link. */
static int protected_mappings(void)
{
    int found = 0;
    char line[512];
    FILE *maps = fopen("/proc/self/smaps", "r");
    while (maps && fgets(line, sizeof line, maps))
        found += !strncmp(line, "VmFlags:", 8) && strstr(line, " dd") && strstr(line, " wf");
    (void)fclose(maps);
    return found;
}

/* 1 if secrets are still there after a while: the thread of the library wipes at the end of its turn. */
static int stay(void)
{
    for (int i = 0; i < 25; i++) {
        if (!search())
            return 0;
        usleep(20000);
    }
    return 1;
}

/* Draws a key, hides its forms, and uses it. */
static int use(eccel *handle, eccel_job **job, uint8_t *copy)
{
    uint8_t key[BYTES], answer[BYTES], shared[ECCEL_MAX_BYTES];
    const eccel_curve *curve = eccel_curve_named("P-256");
    static const uint8_t x[BYTES] = {1}, y[BYTES] = {2};
    if (getrandom(key, BYTES, 0) != BYTES)
        return -1;
    key[0] = 1;
    for (int i = 0; i < BYTES; i++)
        answer[i] = (uint8_t)(key[i] + (i % 4 == 3)); /* the device adds one to each word; the last byte carries never */
    for (int i = 3; i < BYTES; i += 4) {
        key[i] &= 0x7f;
        answer[i] = (uint8_t)(key[i] + 1);
    }
    hide(0, key, 0);
    hide(1, key, 1);
    hide(2, answer, 0);
    hide(3, answer, 1);
    if (copy)
        memcpy(copy, key, BYTES);
    int result = eccel_ecdh(handle, curve, x, y, key, BYTES, 0, shared);
    if (!result && memcmp(shared, answer, BYTES))
        result = -1;
    eccel_wipe(shared, sizeof shared);
    if (!result && job) {
        struct eccel_request request = {.op = ECCEL_OP_ECDH,
                                        .curve = curve,
                                        .operands = 3,
                                        .operand = {{x, BYTES}, {y, BYTES}, {key, BYTES}}};
        result = eccel_start(handle, &request, job);
    }
    eccel_wipe(key, sizeof key);
    eccel_wipe(answer, sizeof answer);
    return result;
}

int main(int count, char **arguments)
{
    eccel *handle;
    eccel_job *job;
    struct eccel_result result;
    int leak = count == 3, status;
    uint8_t *copy = leak ? malloc(BYTES) : NULL;
    if (count < 2 || eccel_open(&handle, arguments[1], NULL)) {
        fprintf(stderr, "%s\n", eccel_open_error());
        return 2;
    }
    for (int i = 0; i < 20; i++) {
        if (use(handle, NULL, copy))
            return 3;
        if (i % 5 == 0 && stay())
            return 5;
    }
    if (!protected_mappings())
        return 9;
    for (int tries = 0;; tries++) { /* the machine may be so busy that the thread is in the middle of its turn */
        if (use(handle, &job, NULL))
            return 3;
        usleep(50000);
        pid_t child = fork();
        if (!child)
            _exit(search() ? 5 : 0);
        (void)waitpid(child, &status, 0);
        if (eccel_wait(job, -1, &result) || (status && tries == 4))
            return 6;
        eccel_wipe(&result, sizeof result);
        eccel_job_free(job);
        if (!status)
            break;
    }
    if (stay())
        return 7;
    eccel_close(handle);
    return search() ? 8 : 0;
}
