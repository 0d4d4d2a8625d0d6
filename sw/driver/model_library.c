/* The library of a model. See model_library.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "model_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int load(struct model_library *library, char *why, size_t room)
{
    char path[sizeof library->folder + 16];
    (void)snprintf(path, sizeof path, "%s/libengine.so", library->folder);
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library->handle) {
        (void)snprintf(why, room, "%s", dlerror());
        return -1;
    }
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"eccel_model_open", &library->open},
        {"eccel_model_close", &library->close},
        {"eccel_model_reset", &library->reset},
        {"eccel_model_send", &library->send},
        {"eccel_model_run", &library->run},
        {"eccel_model_receive", &library->receive},
        {"eccel_model_pending", &library->pending},
        {"eccel_model_forget", &library->forget},
        {"eccel_model_entropy_left", &library->entropy_left},
        {"eccel_model_entropy_words", &library->entropy_words},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(library->handle, functions[i].name);
        if (!found) {
            (void)snprintf(why, room, "%s has no %s: make it again with eccel build --model", path, functions[i].name);
            return -1;
        }
        memcpy(functions[i].place, &found, sizeof found); /* ISO C has no cast from an object to a function */
    }
    return 0;
}

static int describe(struct model_library *library, char *why, size_t room)
{
    char path[sizeof library->folder + 16], line[256];
    unsigned long khz = 0;
    (void)snprintf(path, sizeof path, "%s/model.txt", library->folder);
    FILE *file = fopen(path, "re");
    if (!file || !fgets(line, sizeof line, file) || strcmp(line, "eccel-model 1\n")) {
        (void)snprintf(why, room, "%s is not the description of a model: make it with eccel build --model", path);
        if (file)
            (void)fclose(file);
        return -1;
    }
    while (fgets(line, sizeof line, file)) {
        (void)sscanf(line, "name %63s", library->name);
        (void)sscanf(line, "clock_khz %lu", &khz);
    }
    library->clock_khz = (uint32_t)khz;
    (void)fclose(file);
    return 0;
}

int model_library_open(struct model_library *library, const char *folder, char *why, size_t room)
{
    memset(library, 0, sizeof *library);
    if (strlen(folder) >= sizeof library->folder) {
        (void)snprintf(why, room, "model:%s: the path is too long", folder);
        return -1;
    }
    memcpy(library->folder, folder, strlen(folder) + 1);
    return describe(library, why, room) || load(library, why, room) ? -1 : 0;
}

void model_library_close(struct model_library *library)
{
    if (library->handle)
        (void)dlclose(library->handle);
    library->handle = NULL;
}
