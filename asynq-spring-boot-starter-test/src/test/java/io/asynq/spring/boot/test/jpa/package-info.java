/**
 * An application that writes entities and enqueues in the same transactions.
 */
@NullMarked
package io.asynq.spring.boot.test.jpa;

import org.jspecify.annotations.NullMarked;
