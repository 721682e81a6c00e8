package io.asynq.reliability.check;

import java.util.List;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.asynq.reliability.load.Digest;
import tools.jackson.databind.json.JsonMapper;

/** The hash of a task, read without the code under test. */
record StoredTask(String id, String state, int maxRetry, int retried, String error, List<String> members) {

	private static final JsonMapper JSON = new JsonMapper();

	private static final int TYPE = 1;

	private static final int PAYLOAD = 2;

	private static final int MAX_RETRY = 5;

	private static final int RETRIED = 6;

	private static final int ERROR = 7;

	static StoredTask parse(String id, byte[] message, String state) {
		try {
			UnknownFieldSet fields = UnknownFieldSet.parseFrom(message);
			return new StoredTask(id, state, number(fields, MAX_RETRY), number(fields, RETRIED), text(fields, ERROR),
					members(fields));
		}
		catch (InvalidProtocolBufferException ex) {
			return new StoredTask(id, state, 0, 0, "its message cannot be read: " + ex.getMessage(), List.of());
		}
	}

	private static List<String> members(UnknownFieldSet fields) {
		return text(fields, TYPE).equals(Digest.TYPE) ? JSON.readValue(text(fields, PAYLOAD), Digest.class).members()
				: List.of();
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
