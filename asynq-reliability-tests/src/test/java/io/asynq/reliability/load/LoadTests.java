package io.asynq.reliability.load;

import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadTests {

	@Test
	void isTheSameForTheSameSeed() {
		assertThat(tasks(5)).isEqualTo(tasks(5)).isNotEqualTo(tasks(6));
	}

	@Test
	void hasAllKindsOnAllQueuesUnderDistinctIds() {
		Load load = new Load(new Random(1), 50);
		List<PlannedTask> tasks = Stream.generate(load::next).limit(2000).toList();
		assertThat(tasks.stream().map(PlannedTask::kind).collect(Collectors.toSet()))
			.isEqualTo(EnumSet.allOf(TaskKind.class));
		assertThat(tasks.stream().map((task) -> task.key().queue()).collect(Collectors.toSet()))
			.isEqualTo(Set.of("critical", "default", "low"));
		assertThat(tasks.stream().map((task) -> task.key().id()).distinct()).hasSize(2000);
	}

	@Test
	void hasNoLongTasksUnlessAskedFor() {
		Load load = new Load(new Random(1), 0);
		assertThat(Stream.generate(load::next).limit(2000)).noneMatch((task) -> task.kind() == TaskKind.LONG);
	}

	private static List<String> tasks(long seed) {
		Load load = new Load(new Random(seed), 10);
		return Stream.generate(load::next)
			.limit(500)
			.map((task) -> task.key() + " " + task.kind() + " " + task.payload() + " " + task.options())
			.toList();
	}

}
