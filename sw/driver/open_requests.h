/* Requests on a line that may lose them: a copy of each stays here until its response has come.
   SPDX-License-Identifier: Apache-2.0 */
#ifndef ECCEL_OPEN_REQUESTS_H
#define ECCEL_OPEN_REQUESTS_H

#include "packet.h"

enum { OPEN_REQUESTS = 128, OPEN_TIMES = 5 /* that a request is sent */ };

struct open_request {
    size_t words; /* 0: free */
    unsigned times;
    int asked; /* the state of the board was asked for after it was sent */
    uint32_t packet[PACKET_LOAD_WORDS];
};

/* Set it to zero before use. */
struct open_requests {
    unsigned count;
    struct open_request list[OPEN_REQUESTS];
};

/* There are fewer than OPEN_REQUESTS. */
void open_requests_add(struct open_requests *requests, const uint32_t *packet, size_t words);

/* Wipes the request that a response answers. */
void open_requests_answered(struct open_requests *requests, const uint32_t *response);

/* The state of the board is asked for: what is open now is lost if the board is not busy then. */
void open_requests_ask(struct open_requests *requests);

/* A lost request that has to be sent again, or NULL. *error is set to ECCEL_ERROR_LINK if it must not be. */
const struct open_request *open_requests_lost(struct open_requests *requests, int *error);

#endif
