@NullMarked
package io.asynq.internal.server;

import org.jspecify.annotations.NullMarked;
