package io.asynq.broker.redis;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Which ids a list had, in little memory: of two ids in a hundred million millions one
 * pair is taken for the same.
 */
final class PendingIds {

	private final Set<Long> digests = new HashSet<>();

	/**
	 * Adds an id.
	 * @param id the id
	 * @return {@code false} if it was there
	 */
	boolean add(String id) {
		return this.digests.add(digest(id));
	}

	boolean contains(String id) {
		return this.digests.contains(digest(id));
	}

	private static long digest(String id) {
		CRC32C crc = new CRC32C();
		crc.update(id.getBytes(StandardCharsets.UTF_8));
		return (crc.getValue() << 32) ^ id.hashCode();
	}

}
