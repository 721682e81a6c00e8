package io.asynq.broker.redis;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Which ids a list had, by a digest: some fifty bytes for each, however long it is. That
 * two are taken for the same, so that something is overlooked, is unlikely.
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

	int size() {
		return this.digests.size();
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
