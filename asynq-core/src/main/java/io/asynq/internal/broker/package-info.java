@NullMarked
package io.asynq.internal.broker;

import org.jspecify.annotations.NullMarked;
