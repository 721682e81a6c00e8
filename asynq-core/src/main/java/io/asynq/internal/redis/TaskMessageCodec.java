package io.asynq.internal.redis;

import java.time.Instant;
import java.util.Arrays;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnknownFieldSet;

/** Replaces text that UTF-8 cannot represent: Go would refuse the whole message. */
public final class TaskMessageCodec {

	private TaskMessageCodec() {
	}

	public static byte[] encode(TaskMessage message) {
		io.asynq.internal.redis.proto.TaskMessage.Builder builder = io.asynq.internal.redis.proto.TaskMessage
			.newBuilder()
			.setType(wellFormed(message.type()))
			.setId(wellFormed(message.id()))
			.setQueue(wellFormed(message.queue()))
			.setRetry(message.maxRetry())
			.setRetried(message.retried())
			.setErrorMsg(wellFormed(message.errorMessage()))
			.setTimeout(message.timeoutSeconds())
			.setDeadline(message.deadlineSeconds())
			.setUniqueKey(wellFormed(message.uniqueKey()))
			.setLastFailedAt(message.lastFailedAtSeconds())
			.setRetention(message.retentionSeconds())
			.setCompletedAt(message.completedAtSeconds())
			.setGroupKey(wellFormed(message.group()));
		byte[] payload = message.payload();
		if (payload != null) {
			builder.setPayload(ByteString.copyFrom(payload));
		}
		message.headers().forEach((name, value) -> builder.putHeaders(wellFormed(name), wellFormed(value)));
		if (message.unknownFields().length > 0) {
			builder.setUnknownFields(unknownFields(message.unknownFields()));
		}
		return builder.build().toByteArray();
	}

	public static TaskMessage decode(byte[] bytes) throws InvalidProtocolBufferException {
		io.asynq.internal.redis.proto.TaskMessage stored = io.asynq.internal.redis.proto.TaskMessage.parseFrom(bytes);
		return TaskMessage.builder(stored.getType(), stored.getId(), stored.getQueue())
			// Go reads an empty payload as none
			.payload(stored.getPayload().isEmpty() ? null : stored.getPayload().toByteArray())
			.maxRetry(stored.getRetry())
			.retried(stored.getRetried())
			.errorMessage(stored.getErrorMsg())
			.timeoutSeconds(stored.getTimeout())
			.deadlineSeconds(stored.getDeadline())
			.uniqueKey(stored.getUniqueKey())
			.lastFailedAtSeconds(stored.getLastFailedAt())
			.retentionSeconds(stored.getRetention())
			.completedAtSeconds(stored.getCompletedAt())
			.group(stored.getGroupKey())
			.headers(stored.getHeadersMap())
			.unknownFields(stored.getUnknownFields().toByteArray())
			.build();
	}

	/** Does not trust id and queue in it: the task must be found again where it is. */
	public static TaskMessage decode(String queue, byte[] id, byte[] bytes) throws InvalidProtocolBufferException {
		if (bytes.length == 0) {
			throw new InvalidProtocolBufferException("There is no message");
		}
		String text = idText(id);
		TaskMessage message = decode(bytes);
		return (message.id().equals(text) && message.queue().equals(queue)) ? message : message.at(queue, text);
	}

	private static String idText(byte[] id) throws InvalidProtocolBufferException {
		String text = Text.of(id);
		// Invalid UTF-8 was replaced; a decoder that reports it costs more for each task
		if (text.indexOf('\ufffd') >= 0 && !Arrays.equals(Text.utf8(text), id)) {
			throw new InvalidProtocolBufferException("The id is not UTF-8");
		}
		return text;
	}

	private static UnknownFieldSet unknownFields(byte[] bytes) {
		try {
			return UnknownFieldSet.parseFrom(bytes);
		}
		catch (InvalidProtocolBufferException ex) {
			throw new IllegalStateException("Unknown fields were decoded before, so they can be decoded again", ex);
		}
	}

	/** Replaces halves of surrogate pairs. */
	public static String wellFormed(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isSurrogate(text.charAt(i))) {
				return text.codePoints()
					.map((point) -> (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) ? '\uFFFD'
							: point)
					.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
					.toString();
			}
		}
		return text;
	}

	public static Timestamp timestamp(Instant instant) {
		return Timestamp.newBuilder().setSeconds(instant.getEpochSecond()).setNanos(instant.getNano()).build();
	}

}
