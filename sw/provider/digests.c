/* The cache of digests. Its entries are never changed, and applications use few names, so it is a list without a lock.
   SPDX-License-Identifier: Apache-2.0 */
#include "digests.h"

#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "provider.h"

const struct digest *digests_find(struct provider *provider, const char *name)
{
    struct digests *digests = &provider->digests;
    for (struct digest *digest = digests->list; digest != NULL; digest = digest->next)
        if (strcmp(digest->asked, name) == 0)
            return digest;
    struct digest *made = calloc(1, sizeof *made);
    if (made != NULL && strlen(name) < sizeof made->asked)
        made->md = EVP_MD_fetch(provider->libctx, name, NULL);
    int size = made != NULL && made->md != NULL ? EVP_MD_get_size(made->md) : 0;
    if (size <= 0 || size > EVP_MAX_MD_SIZE || (EVP_MD_get_flags(made->md) & EVP_MD_FLAG_XOF) != 0) {
        if (made != NULL)
            EVP_MD_free(made->md);
        free(made);
        RAISE(provider, REASON_DIGEST, "%s", name);
        return NULL;
    }
    strcpy(made->asked, name);
    made->size = (size_t)size;
    made->next = digests->list;
    while (!atomic_compare_exchange_weak(&digests->list, &made->next, made)) {
    }
    return made;
}

void digests_free_all(struct digests *digests)
{
    for (struct digest *digest = digests->list, *next; digest != NULL; digest = next) {
        next = digest->next;
        EVP_MD_free(digest->md);
        free(digest);
    }
    digests->list = NULL;
}
