@NullMarked
package io.asynq.internal.method;

import org.jspecify.annotations.NullMarked;
