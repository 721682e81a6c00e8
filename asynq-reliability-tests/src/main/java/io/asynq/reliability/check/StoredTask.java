package io.asynq.reliability.check;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;

/**
 * What a task's hash says, read without the code that is under test.
 *
 * @param id its id
 * @param state its state
 * @param maxRetry retries it may have
 * @param retried retries it had
 * @param error its last error
 */
record StoredTask(String id, String state, int maxRetry, int retried, String error) {

	private static final int MAX_RETRY = 5;

	private static final int RETRIED = 6;

	private static final int ERROR = 7;

	static StoredTask parse(String id, byte[] message, String state) {
		try {
			UnknownFieldSet fields = UnknownFieldSet.parseFrom(message);
			return new StoredTask(id, state, number(fields, MAX_RETRY), number(fields, RETRIED), text(fields, ERROR));
		}
		catch (InvalidProtocolBufferException ex) {
			return new StoredTask(id, state, 0, 0, "its message cannot be read: " + ex.getMessage());
		}
	}

	private static int number(UnknownFieldSet fields, int field) {
		return fields.getField(field).getVarintList().stream().findFirst().orElse(0L).intValue();
	}

	private static String text(UnknownFieldSet fields, int field) {
		return fields.getField(field)
			.getLengthDelimitedList()
			.stream()
			.findFirst()
			.map((bytes) -> bytes.toStringUtf8())
			.orElse("");
	}

}
