package io.asynq.spring.boot.test.whole;

import io.asynq.spring.boot.test.AutoConfigureAsynq;
import io.asynq.spring.boot.test.EnqueuedTasks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a slice of the web layer enqueues.
 */
@WebMvcTest
@AutoConfigureAsynq
@ActiveProfiles("bank")
class TransferControllerTests {

	@Test
	void requestIsEnqueued(@Autowired MockMvcTester mvc, @Autowired EnqueuedTasks tasks,
			@Autowired ApplicationContext context) {
		assertThat(mvc.post().uri("/transfers").contentType(MediaType.TEXT_PLAIN).content("t1"))
			.hasStatus(HttpStatus.ACCEPTED);
		assertThat(tasks).enqueued("transfer:book").once().inQueue("critical").withPayload("t1").processNow();
		assertThat(context.getBeanNamesForType(RedisConnectionFactory.class)).isEmpty();
		assertThat(context.getBeanNamesForType(Confirmations.class)).as("handlers are no part of this slice").isEmpty();
	}

}
