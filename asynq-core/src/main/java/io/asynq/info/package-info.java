/**
 * The records in which queues, servers, schedulers and clusters are described.
 */
@NullMarked
package io.asynq.info;

import org.jspecify.annotations.NullMarked;
