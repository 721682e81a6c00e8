/**
 * What the queue must be able to do, said without naming the technology that does it.
 */
@NullMarked
package io.asynq.broker;

import org.jspecify.annotations.NullMarked;
