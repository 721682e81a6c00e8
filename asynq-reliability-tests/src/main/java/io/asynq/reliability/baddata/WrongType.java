package io.asynq.reliability.baddata;

import java.util.Random;

/** The types that a key can have. */
enum WrongType {

	STRING, LIST, HASH, SET, ZSET, STREAM;

	static WrongType otherThan(String right, Random random) {
		WrongType type;
		do {
			type = values()[random.nextInt(values().length)];
		}
		while (type.name().equalsIgnoreCase(right));
		return type;
	}

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
