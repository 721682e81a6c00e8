package io.asynq.kotlin

import com.fasterxml.jackson.annotation.JsonTypeInfo
import com.fasterxml.jackson.annotation.JsonTypeName
import io.asynq.payload.DefaultPayloadConverter
import io.asynq.payload.PayloadConversionException
import java.time.Duration
import java.time.Instant
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.Test
import org.springframework.core.ParameterizedTypeReference

/**
 * Kotlin's classes as payloads: the rules of docs/payloads.md.
 */
class DataClassPayloadTests {

	private val converter = DefaultPayloadConverter()

	@Test
	fun `a data class is written in the order of its parameters and read again`() {
		val mail = Mail("ada", 3, "de", Instant.EPOCH, Duration.ofSeconds(90), listOf("a"))
		assertThat(String(converter.toBytes(mail)!!)).isEqualTo(
			"""{"to":"ada","attempts":3,"language":"de","sent":"1970-01-01T00:00:00Z","pause":"PT1M30S","tags":["a"]}""",
		)
		assertThat(read<Mail>(String(converter.toBytes(mail)!!))).isEqualTo(mail)
	}

	@Test
	fun `a missing field has the default value of its parameter`() {
		assertThat(read<Mail>("""{"to":"ada"}""")).isEqualTo(Mail("ada"))
		assertThat(Mail("ada").language).isEqualTo("en")
	}

	@Test
	fun `a missing number or boolean is zero, and a missing nullable is null`() {
		assertThat(read<Order>("""{"name":"x"}""")).isEqualTo(Order("x", 0, false, null))
	}

	@Test
	fun `a missing field that must not be null is an error that names it`() {
		assertThatExceptionOfType(PayloadConversionException::class.java)
			.isThrownBy { read<Order>("""{"count":1}""") }
			.withMessageContaining("$.name, field name of " + Order::class.java.name)
	}

	@Test
	fun `unknown fields are ignored`() {
		assertThat(read<Order>("""{"name":"x","later":true}""").name).isEqualTo("x")
	}

	@Test
	fun `a sealed interface is written and read by names`() {
		val json = String(converter.toBytes(Refund(Card("4711")))!!)
		assertThat(json).isEqualTo("""{"payment":{"by":"card","number":"4711"}}""")
		assertThat(read<Refund>(json)).isEqualTo(Refund(Card("4711")))
		assertThat(read<Refund>("""{"payment":{"by":"cash"}}""")).isEqualTo(Refund(Cash))
	}

	@Test
	fun `elements of a list keep their names`() {
		val payments: List<Payment> = listOf(Card("4711"), Cash)
		val json = String(converter.toBytes(payments)!!)
		assertThat(json).isEqualTo("""[{"by":"card","number":"4711"},{"by":"cash"}]""")
		assertThat(converter.fromBytes(json.toByteArray(), object : ParameterizedTypeReference<List<Payment>>() {}.type))
			.isEqualTo(payments)
	}

	@Test
	fun `a class whose fields nobody can see is refused`() {
		assertThatExceptionOfType(PayloadConversionException::class.java)
			.isThrownBy { converter.toBytes(Hidden("o-1")) }
			.withMessageContaining(Hidden::class.java.name)
	}

	private inline fun <reified T> read(json: String): T =
		converter.fromBytes(json.toByteArray(), T::class.java) as T

	data class Mail(
		val to: String,
		val attempts: Int = 1,
		val language: String = "en",
		val sent: Instant? = null,
		val pause: Duration = Duration.ZERO,
		val tags: List<String> = emptyList(),
	)

	data class Order(val name: String, val count: Int, val express: Boolean, val note: String?)

	class Hidden(private val order: String) {
		override fun toString() = order
	}

	data class Refund(val payment: Payment)

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "by")
	sealed interface Payment

	@JsonTypeName("card")
	data class Card(val number: String) : Payment

	@JsonTypeName("cash")
	data object Cash : Payment
}
