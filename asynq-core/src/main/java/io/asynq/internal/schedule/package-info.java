@NullMarked
package io.asynq.internal.schedule;

import org.jspecify.annotations.NullMarked;
