/* The library of a model, which is loaded into this process.
   SPDX-License-Identifier: Apache-2.0

   Its folder has the library, the images that it reads, and a description (eccelerate/rtlsim/model_folder.py). */
#ifndef ECCEL_MODEL_LIBRARY_H
#define ECCEL_MODEL_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

enum { MODEL_NAME_WORDS = 16 };

struct model_library {
    char folder[256], name[4 * MODEL_NAME_WORDS];
    uint32_t clock_khz;
    void *handle;
    /* Functions of sim/harness.h: */
    void *(*open)(const char *directory);
    void (*close)(void *model);
    void (*reset)(void *model, uint32_t clocks);
    void (*send)(void *model, const uint32_t *words, size_t count);
    uint64_t (*run)(void *model, uint64_t clocks);
    size_t (*receive)(void *model, uint32_t *words, size_t capacity, uint64_t *cycles);
    size_t (*pending)(const void *model);
    void (*forget)(void *model);
    size_t (*entropy_left)(const void *model);
    void (*entropy_words)(void *model, const uint32_t *words, size_t count);
};

/* Returns 0, or -1 with the reason in `why`. model_library_close is right in both cases. */
int model_library_open(struct model_library *library, const char *folder, char *why, size_t room);
void model_library_close(struct model_library *library);

#endif
