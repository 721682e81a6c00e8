package io.asynq.internal.redis;

import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CeilingIdsTests {

	@Test
	void producersNeverMakeSameId() {
		CeilingIds first = new CeilingIds();
		CeilingIds second = new CeilingIds();
		Set<String> ids = new HashSet<>();
		for (int i = 0; i < 100; i++) {
			ids.add(first.next());
			ids.add(second.next());
		}
		assertThat(ids).hasSize(200);
	}

	@Test
	void idIsAsLongAsUuid() {
		assertThat(new CeilingIds().next()).hasSize(36);
	}

}
