package io.asynq.benchmarks.peer;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

class SettingsTests {

	@Test
	void readsPairsAfterTheVerb() {
		Settings settings = parse("serve redis=127.0.0.1:6379 concurrency=10 fail_first=true");
		assertThat(settings.values()).containsExactly(entry("redis", "127.0.0.1:6379"), entry("concurrency", "10"),
				entry("fail_first", "true"));
		assertThat(settings.host()).isEqualTo("127.0.0.1");
		assertThat(settings.port()).isEqualTo(6379);
		assertThat(settings.number("concurrency")).isEqualTo(10);
		assertThat(settings.flag("fail_first")).isTrue();
	}

	@Test
	void verbAloneHasNoSettings() {
		assertThat(parse("stop").values()).isEmpty();
	}

	@Test
	void valueMayContainEqualsSign() {
		assertThat(parse("serve note=a=b").text("note")).isEqualTo("a=b");
	}

	@Test
	void usesDefaultOnlyForMissingSetting() {
		Settings settings = parse("enqueue batch=8 mode=batch");
		assertThat(settings.number("batch", 64)).isEqualTo(8);
		assertThat(settings.number("threads", 1)).isEqualTo(1);
		assertThat(settings.text("mode", "single")).isEqualTo("batch");
		assertThat(settings.text("variant", "default")).isEqualTo("default");
		assertThat(settings.flag("fail_first")).isFalse();
	}

	@Test
	void readsQueuesInOrderWithDefaultWeightOne() {
		Settings settings = parse("serve queues=high:6,default:3,low");
		assertThat(settings.queues()).containsExactly(entry("high", 6), entry("default", 3), entry("low", 1));
		assertThat(settings.firstQueue()).isEqualTo("high");
	}

	@Test
	void rejectsAndNamesWordThatIsNotAPair() {
		assertThatIllegalArgumentException().isThrownBy(() -> parse("serve concurrency"))
			.withMessage("Not name=value: concurrency");
	}

	@Test
	void namesMissingSetting() {
		Settings settings = parse("serve");
		assertThatIllegalArgumentException().isThrownBy(() -> settings.number("tasks")).withMessage("Missing: tasks");
		assertThatIllegalArgumentException().isThrownBy(settings::host).withMessage("Missing: redis");
	}

	@Test
	void rejectsInvalidNumber() {
		assertThatIllegalArgumentException().isThrownBy(() -> parse("serve tasks=many").number("tasks"))
			.withMessageContaining("many");
	}

	private static Settings parse(String line) {
		return Settings.parse(line.split(" "));
	}

}
