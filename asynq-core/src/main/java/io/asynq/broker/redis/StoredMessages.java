package io.asynq.broker.redis;

import java.util.Arrays;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.broker.message.TaskMessage;

/**
 * Decodes messages as found under an id. The id and queue in a message are not trusted:
 * the task must be found again where it is.
 */
public final class StoredMessages {

	private static final char REPLACEMENT = '\ufffd';

	private StoredMessages() {
	}

	/**
	 * Decodes a message.
	 * @param queue the queue it was found in
	 * @param id the id it was found under
	 * @return the message, with this queue and id
	 * @throws InvalidProtocolBufferException if it cannot be decoded, or its id is not
	 * valid text
	 */
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
