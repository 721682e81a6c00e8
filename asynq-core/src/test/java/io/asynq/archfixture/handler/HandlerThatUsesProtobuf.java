package io.asynq.archfixture.handler;

import com.google.protobuf.MessageLite;
import org.jspecify.annotations.Nullable;

public final class HandlerThatUsesProtobuf {

	final @Nullable MessageLite used = null;

}
