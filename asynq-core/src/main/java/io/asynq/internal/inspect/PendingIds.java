package io.asynq.internal.inspect;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32C;

/** Ids by a digest, fifty bytes each; a collision could hide an inconsistency. */
final class PendingIds {

	private final Set<Long> digests = new HashSet<>();

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
