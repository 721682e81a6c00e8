package io.asynq.broker.redis;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.broker.TaskMessage;

/**
 * Messages as they are found under an id. What a message says of its own id and queue is
 * not relied upon: whoever moves the task must find it where it stands.
 */
final class StoredMessages {

	private StoredMessages() {
	}

	/**
	 * Decodes a message.
	 * @param queue the queue it was found in
	 * @param id the id it was found under
	 * @param bytes the stored bytes
	 * @return the message, with this queue and id
	 * @throws InvalidProtocolBufferException if it cannot be decoded, or its id is no
	 * text
	 */
	static TaskMessage decode(String queue, byte[] id, byte[] bytes) throws InvalidProtocolBufferException {
		if (bytes.length == 0) {
			throw new InvalidProtocolBufferException("There is no message");
		}
		String text = text(id);
		TaskMessage message = TaskMessageCodec.decode(bytes);
		return (message.id().equals(text) && message.queue().equals(queue)) ? message : message.at(queue, text);
	}

	/**
	 * Returns whether a message can be decoded.
	 * @param bytes the stored bytes
	 * @return whether it can
	 */
	static boolean isReadable(byte[] bytes) {
		try {
			TaskMessageCodec.decode(bytes);
			return bytes.length > 0;
		}
		catch (InvalidProtocolBufferException ex) {
			return false;
		}
	}

	private static String text(byte[] id) throws InvalidProtocolBufferException {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(id)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new InvalidProtocolBufferException("The id is not UTF-8");
		}
	}

}
