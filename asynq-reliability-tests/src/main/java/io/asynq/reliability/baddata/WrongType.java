package io.asynq.reliability.baddata;

import java.util.Random;

/**
 * The types that a key can have.
 */
enum WrongType {

	STRING, LIST, HASH, SET, ZSET, STREAM;

	/**
	 * Picks a type.
	 * @param right the one that it must not be, as Redis calls it
	 * @param random picks
	 * @return another one
	 */
	static WrongType otherThan(String right, Random random) {
		WrongType type;
		do {
			type = values()[random.nextInt(values().length)];
		}
		while (type.name().equalsIgnoreCase(right));
		return type;
	}

	/**
	 * Makes a key of this type.
	 * @param queue where to write
	 * @param key the key, which does not exist
	 */
	void write(RawQueue queue, byte[] key) {
		byte[] value = RawQueue.utf8("not asynq's");
		switch (this) {
			case STRING -> queue.run("SET", key, value);
			case LIST -> queue.run("LPUSH", key, value);
			case HASH -> queue.run("HSET", key, value, value);
			case SET -> queue.run("SADD", key, value);
			case ZSET -> queue.run("ZADD", key, RawQueue.utf8("1"), value);
			case STREAM -> queue.run("XADD", key, RawQueue.utf8("*"), value, value);
		}
	}

}
