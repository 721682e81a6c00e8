package io.asynq.archfixture.handler;

import com.google.protobuf.ByteString;

/**
 * Breaks: only the adapter knows protobuf.
 */
public class HandlerThatUsesProtobuf {

	final Object bytes = ByteString.EMPTY;

}
