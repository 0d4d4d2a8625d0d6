/* What a child of fork does before it uses the provider.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_PROVIDER_FORK_H
#define ECCEL_PROVIDER_FORK_H

#include <stdbool.h>

struct provider;

/* From now on, and until fork_forget, a child resets the locks and the requests of this provider. */
bool fork_remember(struct provider *provider);
void fork_forget(struct provider *provider);

#endif
