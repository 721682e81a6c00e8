package io.asynq.archfixture.handler;

import com.google.protobuf.ByteString;

/**
 * Breaks the rule that only the adapter uses protobuf.
 */
public class HandlerThatUsesProtobuf {

	final Object bytes = ByteString.EMPTY;

}
