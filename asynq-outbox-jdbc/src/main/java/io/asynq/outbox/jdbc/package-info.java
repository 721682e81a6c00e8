/**
 * An outbox for tasks in a table of a relational database, and the relay that sends them.
 * Applications use {@link io.asynq.AsynqClient} alone.
 */
@NullMarked
package io.asynq.outbox.jdbc;

import org.jspecify.annotations.NullMarked;
