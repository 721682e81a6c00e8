@NullMarked
package io.asynq.internal.group;

import org.jspecify.annotations.NullMarked;
