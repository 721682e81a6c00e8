package io.asynq.internal.redis;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TaskIdsTests {

	private final TaskIds ids = new TaskIds();

	@Test
	void idsAreRandomUuids() {
		for (int i = 0; i < 1000; i++) {
			String id = this.ids.next();
			UUID uuid = UUID.fromString(id);
			assertThat(uuid).hasToString(id);
			assertThat(uuid.version()).isEqualTo(4);
			assertThat(uuid.variant()).isEqualTo(2);
		}
	}

	@Test
	void idsAreUniqueAcrossThreads() {
		Set<String> seen = ConcurrentHashMap.newKeySet();
		IntStream.range(0, 100_000).parallel().forEach((i) -> seen.add(this.ids.next()));
		assertThat(seen).hasSize(100_000);
	}

	@Test
	void allOtherBitsAreRandom() {
		long highOnes = 0;
		long highZeros = 0;
		long lowOnes = 0;
		long lowZeros = 0;
		for (int i = 0; i < 1000; i++) {
			UUID uuid = UUID.fromString(this.ids.next());
			highOnes |= uuid.getMostSignificantBits();
			highZeros |= ~uuid.getMostSignificantBits();
			lowOnes |= uuid.getLeastSignificantBits();
			lowZeros |= ~uuid.getLeastSignificantBits();
		}
		assertThat(highOnes & highZeros).isEqualTo(~0xF000L);
		assertThat(lowOnes & lowZeros).isEqualTo(~0xC000_0000_0000_0000L);
	}

}
