package io.asynq.internal.redis;

import java.util.Arrays;

import com.google.protobuf.InvalidProtocolBufferException;

/** Does not trust id and queue in a message: the task must be found again where it is. */
public final class StoredMessages {

	private static final char REPLACEMENT = '\ufffd';

	private StoredMessages() {
	}

	public static TaskMessage decode(String queue, byte[] id, byte[] bytes) throws InvalidProtocolBufferException {
		if (bytes.length == 0) {
			throw new InvalidProtocolBufferException("There is no message");
		}
		String text = text(id);
		TaskMessage message = TaskMessageCodec.decode(bytes);
		return (message.id().equals(text) && message.queue().equals(queue)) ? message : message.at(queue, text);
	}

	private static String text(byte[] id) throws InvalidProtocolBufferException {
		String text = Text.of(id);
		// Invalid UTF-8 was replaced; a decoder that reports it costs more for each task
		if (text.indexOf(REPLACEMENT) >= 0 && !Arrays.equals(Text.utf8(text), id)) {
			throw new InvalidProtocolBufferException("The id is not UTF-8");
		}
		return text;
	}

}
