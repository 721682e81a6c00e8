package io.asynq.sample;

import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the sample.
 *
 * @param orders how many orders it places by itself at start
 */
@Validated
@ConfigurationProperties("sample")
record SampleProperties(@DefaultValue("200") @Min(0) int orders) {
}
