package io.asynq.kotlin

import io.asynq.AsynqClient
import io.asynq.ClientOptions
import io.asynq.InvalidTaskException
import io.asynq.TaskDefaults
import io.asynq.TaskOptions
import io.asynq.internal.enqueue.DefaultAsynqClient
import io.asynq.internal.enqueue.EnqueueRequest
import io.asynq.internal.enqueue.TaskEnqueuer
import io.asynq.internal.event.Observers
import java.lang.reflect.Proxy
import java.time.Clock
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test

/**
 * The client as Kotlin sees it.
 */
class EnqueueTests {

	private val requests = mutableListOf<EnqueueRequest>()

	private val client: AsynqClient = DefaultAsynqClient(recorder(),
		ClientOptions.builder().clock(Clock.systemUTC()).build(), Observers.none(), null)

	@Test
	fun `a lambda after the type means options`() {
		client.enqueue("t") { o -> o.queue("low") }
		client.enqueue("t") { it.queue("low").maxRetry(3) }
		client.enqueue("t", { o -> o.queue("low") })
		client.enqueue("t") { o: TaskOptions.Builder -> o.queue("low") }
		assertThat(requests).hasSize(4).allSatisfy { request ->
			assertThat(request.message().type()).isEqualTo("t")
			assertThat(request.message().payload()).isNull()
			assertThat(request.message().queue()).isEqualTo("low")
		}
	}

	@Test
	fun `a lambda after the payload means options`() {
		client.enqueue("t", Mail("ada")) { o -> o.queue("low") }
		client.enqueue(Mail("ada")) { o -> o.queue("low") }
		client.enqueue("t", null) { o -> o.queue("low") }
		assertThat(requests).allSatisfy { request -> assertThat(request.message().queue()).isEqualTo("low") }
		assertThat(requests.map { it.message().payload()?.let(::String) })
			.containsExactly("""{"to":"ada"}""", """{"to":"ada"}""", null)
	}

	@Test
	fun `an object after the type is its payload`() {
		client.enqueue("t", Mail("ada"))
		client.enqueue("t", null)
		client.enqueue("t", mapOf("b" to 1, "a" to setOf(1.5)))
		assertThat(requests.map { it.message().payload()?.let(::String) })
			.containsExactly("""{"to":"ada"}""", null, """{"a":[1.5],"b":1}""")
	}

	@Test
	fun `a function is no payload`() {
		val lambda: (TaskOptions.Builder) -> Unit = { it.queue("low") }
		val anonymous = fun(text: String) = text.length
		for (function in listOf<Any>(lambda, anonymous, String::length, Mail::to)) {
			assertThatExceptionOfType(InvalidTaskException::class.java).isThrownBy { client.enqueue("t", function) }
				.withMessageContaining("is no payload")
		}
		assertThat(requests).isEmpty()
	}

	/** Remembers what would be stored. */
	private fun recorder() = Proxy.newProxyInstance(javaClass.classLoader, arrayOf(TaskEnqueuer::class.java)) { _, _, args ->
		requests.add(args[0] as EnqueueRequest)
		null
	} as TaskEnqueuer

	@TaskDefaults(type = "mail")
	data class Mail(val to: String)
}
