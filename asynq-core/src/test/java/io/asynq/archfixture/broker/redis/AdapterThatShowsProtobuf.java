package io.asynq.archfixture.broker.redis;

import com.google.protobuf.ByteString;

/**
 * Breaks: public signatures show no protobuf type.
 */
public class AdapterThatShowsProtobuf {

	public ByteString give() {
		return ByteString.EMPTY;
	}

}
