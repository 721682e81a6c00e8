/**
 * A broker that keeps tasks in the memory of a test, which sees it through the client,
 * the inspector and {@code TestAsynq}.
 */
@NullMarked
package io.asynq.spring.boot.test.memory;

import org.jspecify.annotations.NullMarked;
