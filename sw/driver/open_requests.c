/* Requests on a line that may lose them. See open_requests.h.
   SPDX-License-Identifier: Apache-2.0 */
#include "open_requests.h"

#include <string.h>

void open_requests_add(struct open_requests *requests, const uint32_t *packet, size_t words)
{
    struct open_request *request = requests->list;
    while (request->words)
        request++;
    *request = (struct open_request){.words = words, .times = 1};
    memcpy(request->packet, packet, 4 * words);
    requests->count++;
}

void open_requests_answered(struct open_requests *requests, const uint32_t *response)
{
    for (size_t i = 0; i < OPEN_REQUESTS; i++) {
        struct open_request *request = &requests->list[i];
        if (request->words && packet_tag(request->packet) == packet_tag(response)) {
            eccel_wipe(request, sizeof *request);
            requests->count--;
        }
    }
}

void open_requests_ask(struct open_requests *requests)
{
    for (size_t i = 0; i < OPEN_REQUESTS; i++)
        requests->list[i].asked = requests->list[i].words != 0;
}

const struct open_request *open_requests_lost(struct open_requests *requests, int *error)
{
    for (size_t i = 0; i < OPEN_REQUESTS; i++) {
        struct open_request *request = &requests->list[i];
        if (!request->words || !request->asked)
            continue;
        if (request->times++ == OPEN_TIMES || !packet_repeatable(request->packet)) {
            *error = ECCEL_ERROR_LINK;
            return NULL;
        }
        request->asked = 0;
        return request;
    }
    return NULL;
}
