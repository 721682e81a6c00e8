package io.asynq.archfixture.broker.redis;

import com.google.protobuf.ByteString;

/**
 * Breaks the rule that public signatures expose no protobuf type.
 */
public class AdapterThatShowsProtobuf {

	public ByteString give() {
		return ByteString.EMPTY;
	}

}
