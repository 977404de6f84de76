/*
 * Faults the simulator must find, each replacing a piece of the program in the simulator's bundle: the program
 * itself knows nothing of them. `sound` occurs exactly once in `file`; otherwise the build fails.
 */

const choose = (name, planted, sound) => `(globalThis.PLANTED === '${name}' ? ${planted} : ${sound})`;

export const PLANTED = [
  {
    name: 'intent_after_create',
    file: 'src/core/listings/steps/create/create.ts',
    sound: 'const send_before_ms = ports.clock.monotonic() + SEND_WINDOW_MS;\n  await cx.save();',
    plant: (sound) => sound.replace('await', "if (globalThis.PLANTED !== 'intent_after_create') await"),
    what: 'A create is journaled only after its answer arrives.',
  },
  {
    name: 'unknown_is_failed',
    file: 'src/core/listings/steps/create/create.ts',
    sound: "if (cause.failure === 'unknown') endCall(cx);",
    plant: () => `if (${choose('unknown_is_failed', 'false', "cause.failure === 'unknown'")}) endCall(cx);`,
    what: 'A create without an answer counts as failed.',
  },
  {
    name: 'no_settling',
    file: 'src/core/listings/steps/create/reconcile.ts',
    sound: '? getSettle_ms(publication.intent, ports.clock.now(), settle_ms)',
    plant: () =>
      `? ${choose('no_settling', '0', 'getSettle_ms(publication.intent, ports.clock.now(), settle_ms)')}`,
    what: 'The listing of a lost create is searched for only once, and at once.',
  },
  {
    name: 'drift_is_no_matter',
    file: 'src/core/listings/decide/decide.ts',
    sound: "if (drift.length > 0 && action.on_drift === 'refuse') return",
    plant: () =>
      `if (drift.length > 0 && ${choose('drift_is_no_matter', 'false', "action.on_drift === 'refuse'")}) return`,
    what: 'A change overwrites manual edits.',
  },
  {
    name: 'drift_is_taken_over',
    file: 'src/core/listings/decide/decide.ts',
    sound:
      "const drift = edited.filter((difference) => difference.kind !== 'sold' && isTouched(difference));\n  const taken_over = edited.filter((difference) => !isTouched(difference));",
    plant: (sound) =>
      sound
        .replace('edited.', "(globalThis.PLANTED === 'drift_is_taken_over' ? [] : edited).")
        .replace('!isTouched', "globalThis.PLANTED === 'drift_is_taken_over' || !isTouched"),
    what: 'A change overwrites manual edits, and reports them as adopted.',
  },
  {
    name: 'change_never_works',
    file: 'src/core/listings/decide/decide.ts',
    sound: 'const { target, warnings } = withRestored(built, fresh);',
    plant: (sound) =>
      `if (globalThis.PLANTED === 'change_never_works') return { kind: 'refused', error: 'not now', fields: [] };
  ${sound}`,
    what: 'A change is refused in each shop.',
  },
  {
    name: 'undo_never_works',
    file: 'src/core/listings/verbs/undo_plan.ts',
    sound: 'if (updates.length === 0) throw buildNothing(listing_pk, input);',
    plant: (sound) =>
      sound.replace(
        'updates.length === 0',
        "updates.length === 0 || globalThis.PLANTED === 'undo_never_works'",
      ),
    what: 'An undo is refused as if there were nothing to undo.',
  },
  {
    name: 'undo_to_other_before',
    file: 'src/core/listings/steps/read_back.ts',
    sound: 'rebaseOnOtherEdits(cx);\n  const seen = pick(cx.fresh, parts);',
    plant: (sound) =>
      `${sound}
  if (globalThis.PLANTED === 'undo_to_other_before' && change.target.fields?.title && change.before.listing) {
    change.before = { ...change.before, listing: { ...change.before.listing, title: 'As it never was' } };
  }`,
    what: 'A change saves and reports a wrong earlier title, and its undo restores that.',
  },
  {
    name: 'undo_to_other_words',
    file: 'src/core/listings/decide/build_restored.ts',
    sound: 'const fields = restoreFields(before.listing, after.listing);',
    plant: (sound) =>
      `${sound}\n  if (globalThis.PLANTED === 'undo_to_other_words') Object.assign(fields, { title: 'As it never was' });`,
    what: 'An undo writes a title the listing never had.',
  },
  {
    name: 'told_in_part',
    file: 'src/core/listings/run/results.ts',
    sound: 'diff: diff.map(',
    plant: (sound) =>
      sound.replace(
        'diff.map',
        "(globalThis.PLANTED === 'told_in_part' && failure && diff.length > 1 ? diff.slice(1) : diff).map",
      ),
    what: 'A change of several parts that fails halfway omits its first difference from the report.',
  },
  {
    name: 'sent_is_delivered',
    file: 'src/core/webhooks/deliveries/outbox.ts',
    sound: "const status = is_success ? 'success' : 'failed';",
    plant: () =>
      `const status = ${choose('sent_is_delivered', 'true', 'is_success')} ? 'success' : 'failed';`,
    what: 'A delivery that no receiver accepted is reported as delivered.',
  },
  {
    name: 'never_sent_again',
    file: 'src/core/webhooks/deliveries/schedule.ts',
    sound: 'if (delay_s === undefined) return null;',
    plant: () => `if (${choose('never_sent_again', 'true', 'delay_s === undefined')}) return null;`,
    what: 'A delivery that its receiver did not accept is not retried.',
  },
  {
    name: 'later_change_is_silent',
    file: 'src/core/orders/changes.ts',
    sound: 'if (recorded) return changes.filter((change) => !recorded.includes(change));',
    plant: (sound) =>
      `if (globalThis.PLANTED === 'later_change_is_silent' && recorded) return [];\n  ${sound}`,
    what: 'Later changes of a known order are not reported.',
  },
  {
    name: 'limit_is_higher',
    file: 'src/store/limits/rates.ts',
    sound: 'if (used < per_second) return undefined;',
    plant: () => `if (used < ${choose('limit_is_higher', 'per_second + 2', 'per_second')}) return undefined;`,
    what: 'An account may make two calls per second more than its limit.',
  },
  {
    name: 'day_is_never_over',
    file: 'src/marketplace/http/call.ts',
    sound: 'pacing.hold(wait_ms);',
    plant: () => `pacing.hold(${choose('day_is_never_over', 'Math.min(wait_ms, 1000)', 'wait_ms')});`,
    what: 'Requests continue after the marketplace has said that it accepts no more today.',
  },
  {
    name: 'signed_for_another_time',
    file: 'src/webhooks/send.ts',
    sound: 'const timestamp_s = Math.floor(clock.now().getTime() / 1000);',
    plant: (sound) =>
      sound.replace(
        'clock.now().getTime()',
        "(clock.now().getTime() + (globalThis.PLANTED === 'signed_for_another_time' ? 3_600_000 : 0))",
      ),
    what: 'A webhook is signed with a time that its receiver refuses.',
  },
  {
    name: 'id_of_another_event',
    file: 'src/webhooks/send.ts',
    sound: "'webhook-id': event_id,",
    plant: () => `'webhook-id': ${choose('id_of_another_event', "event_id + '0'", 'event_id')},`,
    what: "A webhook's header names another event than its body.",
  },
  {
    name: 'old_secret_ends_at_once',
    file: 'src/core/webhooks/endpoints.ts',
    sound: 'const previous_secrets = [rotated, ...known.previous_secrets].slice(0, MAX_PREVIOUS);',
    plant: (sound) =>
      sound.replace('.slice', ".slice(globalThis.PLANTED === 'old_secret_ends_at_once' ? 9 : 0).slice"),
    what: 'A rotated secret expires at once instead of staying valid alongside the new one for a day.',
  },
  {
    name: 'gone_is_a_failure',
    file: 'src/core/webhooks/deliveries/health.ts',
    sound: 'if (outcome.response_status_code === 410)',
    plant: () => `if (${choose('gone_is_a_failure', 'false', 'outcome.response_status_code === 410')})`,
    what: 'A delivery is retried although its receiver said that it is gone.',
  },
  {
    name: 'job_is_left',
    file: 'src/core/listings/jobs/jobs.ts',
    sound: 'for (const { account_id, job_id } of left) start(account_id, job_id);',
    plant: (sound) => `if (globalThis.PLANTED !== 'job_is_left') ${sound}`,
    what: 'A job left unfinished by a process that ended is not resumed by another.',
  },
  {
    name: 'event_recorded_twice',
    file: 'src/core/orders/record_changes.ts',
    sound: "if (outcome === 'recorded') recorded += 1;",
    plant: (sound) =>
      `${sound}
      if (globalThis.PLANTED === 'event_recorded_twice' && reading.told !== undefined) {
        const data = buildOrderData(watch, { ...reading, is_delivered: isDelivered }, change, listing_pks);
        const change_key = subject + ':' + change + ':again';
        await events.record({ account_id, event_type: toOrderEvent(change), data, subject, change_key });
      }`,
    what: 'A change of an order reported by a message of the marketplace is recorded as two events.',
  },
  {
    name: 'fee_without_asking',
    file: 'src/core/listings/verbs/consent.ts',
    sound: 'if (!isAsking || !shops.some(({ is_paid }) => is_paid)) return { job_id };',
    plant: (sound) =>
      `if (globalThis.PLANTED === 'fee_without_asking') return { job_id };\n          ${sound}`,
    what: 'Nobody is asked before a fee is paid.',
  },
  {
    name: 'paid_again',
    file: 'src/core/listings/steps/sale/activation.ts',
    sound: 'before !== null && now !== null && now > before;',
    plant: (sound) => `globalThis.PLANTED !== 'paid_again' && ${sound}`,
    what: 'A listing that sold out before the lost answer to its activation was noticed is activated, and paid for, again.',
  },
  {
    name: 'spending_ceiling_ignored',
    file: 'src/core/listings/fees/spending.ts',
    sound: 'const most = settings.max_activations_per_day;',
    plant: (sound) =>
      sound.replace('settings.', "globalThis.PLANTED === 'spending_ceiling_ignored' ? undefined : settings."),
    what: 'An account may spend more fees in a day than its limit.',
  },
  {
    name: 'fee_told_as_nothing',
    file: 'src/core/listings/run/results.ts',
    sound: 'activation_cost_usd: getCost(progress, job_id)',
    plant: () => `activation_cost_usd: ${choose('fee_told_as_nothing', '0', 'getCost(progress, job_id)')}`,
    what: 'A paid fee is reported as zero.',
  },
  {
    name: 'copy_with_other_title',
    file: 'src/core/listings/resolve/copy/prepare.ts',
    sound: 'const changed = withKnownAttributes(withChanges(source.request, input.changes), schema);',
    plant: (sound) =>
      `${sound}\n  if (globalThis.PLANTED === 'copy_with_other_title') changed.request.listing.title += ' too';`,
    what: 'A copy has another title than its listing.',
  },
  {
    name: 'copy_goes_live',
    file: 'src/core/listings/verbs/copy.ts',
    sound: "const fees = state === 'active' ? (plan?.shops ?? []) : [];",
    plant: (sound) =>
      `${sound}\n    if (globalThis.PLANTED === 'copy_goes_live') for (const { action } of plan?.shops ?? []) Object.assign(action.target, { state: 'active' });`,
    what: 'A copy requested as a draft is activated.',
  },
  {
    name: 'price_change_sets_stock',
    file: 'src/core/listings/decide/decide_inventory.ts',
    sound: 'const products = fresh.products.map((product) => ({ ...product }));',
    plant: (sound) =>
      `${sound}\n  if (globalThis.PLANTED === 'price_change_sets_stock') for (const product of products) product.quantity = 99;`,
    what: 'A change of the price sets the stock of each product.',
  },
  {
    name: 'undo_writes_all_attributes',
    file: 'src/core/listings/decide/restore_parts.ts',
    sound: 'return [...fresh.filter((one) => !isChanged(one)), ...before.filter(isChanged)];',
    plant: (sound) =>
      `if (globalThis.PLANTED === 'undo_writes_all_attributes') return [...before];\n  ${sound}`,
    what: 'An undo of one attribute also restores all others, overwriting manual edits of them.',
  },
  {
    name: 'price_change_offers_all',
    file: 'src/core/listings/decide/decide_inventory.ts',
    sound: 'const no_stock: string[] = [];\n',
    plant: (sound) =>
      `${sound}  if (globalThis.PLANTED === 'price_change_offers_all') for (const product of products) product.is_enabled = true;\n`,
    what: 'A change of the price enables every combination, even those that were disabled manually.',
  },
  {
    name: 'undo_gives_sold_back',
    file: 'src/core/listings/decide/restore_inventory.ts',
    sound: 'if (had.quantity === then.quantity) return { quantity: now.quantity };',
    plant: (sound) =>
      `if (globalThis.PLANTED === 'undo_gives_sold_back') return { quantity: had.quantity };\n  ${sound}`,
    what: 'An undo restores stock that was sold since the change.',
  },
  {
    name: 'sale_is_a_change',
    file: 'src/core/listings/engine/rebase.ts',
    sound: "const fields = state === 'active' ? NOT_ACTIVATED :",
    plant: () =>
      `const fields = ${choose('sale_is_a_change', 'true', "state === 'active'")} ? NOT_ACTIVATED :`,
    what: 'A piece sold during a change is reported as changed by it, and restored by its undo.',
  },
  {
    name: 'dismissed_is_yes',
    file: 'src/core/listings/verbs/consent.ts',
    sound: "if (asked === 'accepted' || !needsToken) return { job_id };",
    plant: (sound) =>
      `if (globalThis.PLANTED === 'dismissed_is_yes' && asked === 'dismissed') return { job_id };\n          ${sound}`,
    what: 'A fee is paid although the question about it was dismissed.',
  },
  {
    name: 'other_photo_is_sent',
    file: 'src/core/listings/steps/photos/send.ts',
    sound: 'const file = await getFile(cx, planned);',
    plant: () =>
      `const file = await getFile(cx, ${choose('other_photo_is_sent', 'findPlanned(cx, 0) ?? planned', 'planned')});`,
    what: 'The first photo of a creation is sent instead of each of the others.',
  },
  {
    name: 'batch_over_edits',
    file: 'src/core/listings/decide/decide_action.ts',
    sound: "if (!shown || decision.kind !== 'go') return decision;",
    plant: (sound) => `if (globalThis.PLANTED === 'batch_over_edits') return decision;\n  ${sound}`,
    what: 'A batch changes a listing although it was edited after the plan.',
  },
  {
    name: 'batch_fee_unasked',
    file: 'src/core/batches/batches.ts',
    sound: 'const agreed = await consent.ask(offered, []);',
    plant: (sound) => sound.replace('offered', choose('batch_fee_unasked', '[]', 'offered')),
    what: 'A batch pays its fees without a confirmation.',
  },
  {
    name: 'batch_fee_beyond',
    file: 'src/core/batches/run_step.ts',
    sound:
      'items.map(({ shop_id, cost_usd }) => [shop_id, cost_usd]));\n    const part: BatchPart = {\n      batch_id,\n      job_id: job.job_id,',
    plant: (sound) =>
      sound
        .replace('[shop_id, cost_usd]', `[shop_id, ${choose('batch_fee_beyond', '99', 'cost_usd')}]`)
        .replace('job.job_id', choose('batch_fee_beyond', 'undefined', 'job.job_id')),
    what: 'A batch pays a fee that was not part of the confirmed sum.',
  },
  {
    name: 'batch_item_repeated',
    file: 'src/core/batches/run_step.ts',
    sound: 'step.job_ids.length || undefined]',
    plant: () =>
      `${choose('batch_item_repeated', 'parts.clock.now().getTime()', 'step.job_ids.length || undefined')}]`,
    what: 'A batch that resumes after a crash repeats an item that is done.',
  },
  {
    name: 'batch_ignores_cancel',
    file: 'src/store/jobs/batches.ts',
    sound: "if (!batch || batch.is_canceling || batch.status === 'canceled') return 'canceled';",
    plant: (sound) =>
      sound.replace('batch.is_canceling', choose('batch_ignores_cancel', 'false', 'batch.is_canceling')),
    what: 'A batch continues after it was canceled.',
  },
  {
    name: 'batch_undo_misses',
    file: 'src/core/batches/plan_undo.ts',
    sound: 'if (job_id === undefined || !isMeant) continue;',
    plant: (sound) =>
      `${sound}\n    if (globalThis.PLANTED === 'batch_undo_misses' && written.size > 0 && !written.has(listing_pk)) continue;`,
    what: 'The undo of a batch misses all listings but the first.',
  },
  {
    name: 'batch_undo_of_another',
    file: 'src/core/batches/plan_undo.ts',
    sound: 'const { job_id } = step;',
    plant: () => `const job_id = ${choose('batch_undo_of_another', 'undefined', 'step.job_id')};`,
    what: 'The undo of a batch reverts the last change of each listing, whoever made it.',
  },
  {
    name: 'batches_at_once',
    file: 'src/store/jobs/batches.ts',
    sound: "if (!isFirst) return 'wait';",
    plant: (sound) => sound.replace('!isFirst', choose('batches_at_once', 'false', '!isFirst')),
    what: 'Two batches of an account run at the same time.',
  },
  {
    name: 'batch_failure_is_ok',
    file: 'src/core/batches/run_step.ts',
    sound: 'if (result?.error) {',
    plant: () => `if (${choose('batch_failure_is_ok', 'undefined', 'result?.error')}) {`,
    what: 'A batch reports an item that failed as done.',
  },
  {
    name: 'sheet_unedited_cell',
    file: 'src/core/batches/sheets/values.ts',
    sound: 'if (isSame(column, text, exported)) return undefined;',
    plant: (sound) =>
      sound.replace(
        'isSame(',
        "(globalThis.PLANTED !== 'sheet_unedited_cell' || column !== 'title') && isSame(",
      ),
    what: 'A sheet resets the title to that of its export, although nobody edited the cell.',
  },
  {
    name: 'batch_undo_pays',
    file: 'src/core/batches/plan_undo.ts',
    sound: 'else if (spec.pays && isOffSale(step.call))',
    plant: (sound) => sound.replace('spec.pays', choose('batch_undo_pays', 'true', 'spec.pays')),
    what: 'The undo of a batch pays fees although it was not asked to.',
  },
];
