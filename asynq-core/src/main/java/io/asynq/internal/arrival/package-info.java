@NullMarked
package io.asynq.internal.arrival;

import org.jspecify.annotations.NullMarked;
