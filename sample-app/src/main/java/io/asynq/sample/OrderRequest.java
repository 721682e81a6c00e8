package io.asynq.sample;

import java.math.BigDecimal;

import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * What a customer sends.
 *
 * @param customer an e-mail address
 * @param item what is bought
 */
record OrderRequest(@NotBlank @Email @Size(max = 200) @Nullable String customer,
		@NotBlank @Size(max = 100) @Nullable String item, @NotNull @Min(1) @Max(1000) @Nullable Integer quantity,
		@NotNull @Positive @Digits(integer = 9, fraction = 2) @Nullable BigDecimal price) {
}
