package io.asynq.reliability.baddata;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** By hand, because no protobuf library writes what must be rejected. */
final class StoredMessage {

	static final int TYPE = 1;

	static final int PAYLOAD = 2;

	static final int ID = 3;

	static final int QUEUE = 4;

	static final int MAX_RETRY = 5;

	static final int RETRIED = 6;

	static final int ERROR_MESSAGE = 7;

	static final int TIMEOUT = 8;

	static final int DEADLINE = 9;

	static final int UNIQUE_KEY = 10;

	static final int RETENTION = 12;

	static final int GROUP = 14;

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	static StoredMessage of(String type, String queue, byte[] id) {
		return new StoredMessage().bytes(TYPE, type.getBytes(StandardCharsets.UTF_8))
			.bytes(ID, id)
			.bytes(QUEUE, queue.getBytes(StandardCharsets.UTF_8))
			.number(TIMEOUT, 1800);
	}

	/** Adds a field; of a field given twice the last counts. */
	StoredMessage bytes(int field, byte[] value) {
		varint(((long) field << 3) | 2);
		varint(value.length);
		this.bytes.writeBytes(value);
		return this;
	}

	StoredMessage number(int field, long value) {
		varint((long) field << 3);
		varint(value);
		return this;
	}

	byte[] toBytes() {
		return this.bytes.toByteArray();
	}

	private void varint(long value) {
		long rest = value;
		while ((rest & ~0x7FL) != 0) {
			this.bytes.write((int) (rest & 0x7F | 0x80));
			rest >>>= 7;
		}
		this.bytes.write((int) rest);
	}

}
