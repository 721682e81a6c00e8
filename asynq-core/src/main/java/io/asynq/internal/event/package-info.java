@NullMarked
package io.asynq.internal.event;

import org.jspecify.annotations.NullMarked;
