@NullMarked
package io.asynq.internal.inspect;

import org.jspecify.annotations.NullMarked;
