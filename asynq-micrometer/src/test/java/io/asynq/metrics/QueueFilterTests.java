package io.asynq.metrics;

import java.util.List;
import java.util.Set;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class QueueFilterTests {

	@Test
	void choosesAllWithoutPatterns() {
		assertThat(new QueueFilter(List.of(), 500).choose(Set.of("b", "a"))).containsExactly("a", "b");
	}

	@Test
	void choosesNamesAndPatterns() {
		QueueFilter filter = new QueueFilter(List.of("mail", "user:*"), 500);
		assertThat(filter.choose(Set.of("mail", "mailbox", "user:1", "user:2", "other"))).containsExactly("mail",
				"user:1", "user:2");
	}

	@Test
	void newQueuesDisplaceNoChosenOnes() {
		QueueFilter filter = new QueueFilter(List.of(), 2);
		assertThat(filter.choose(Set.of("m", "n"))).containsExactly("m", "n");
		assertThat(filter.choose(Set.of("a", "b", "m", "n"))).containsExactly("m", "n");
		assertThat(filter.choose(Set.of("a", "b", "n"))).containsExactly("n", "a");
	}

	@Test
	void refusesNamesBeyondOneKilobyte() {
		String longest = "q".repeat(1024);
		assertThat(new QueueFilter(List.of(), 500).choose(Set.of(longest, longest + "q"))).containsExactly(longest);
	}

	@Test
	void warnsOnceOfTooManyQueues() {
		QueueFilter filter = new QueueFilter(List.of(), 2);
		Logger logger = (Logger) LoggerFactory.getLogger(QueueFilter.class);
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		logged.start();
		logger.addAppender(logged);
		try {
			filter.choose(Set.of("a", "b"));
			assertThat(logged.list).isEmpty();
			filter.choose(Set.of("a", "b", "c"));
			filter.choose(Set.of("a", "b", "c", "d"));
		}
		finally {
			logger.detachAppender(logged);
		}
		assertThat(logged.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN);
		assertThat(logged.list.get(0).getFormattedMessage()).contains("2 of 3 queues",
				"asynq.metrics.queues.max-queues");
	}

}
