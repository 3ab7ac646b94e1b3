! Procedures of HPF_LIBRARY.
program library
  use hpf_library
  implicit none
  integer :: a(6) = [3, 1, 4, 1, 5, 9], b(3) = [10, 20, 30], where_to(6) = [1, 2, 3, 1, 2, 3]
  real(8) :: x(5) = [2.5d0, -1.0d0, 7.0d0, -1.0d0, 0.5d0]
  logical :: m(6) = [.true., .true., .false., .true., .false., .true.]
  logical :: s(6) = [.true., .true., .true., .false., .false., .false.]
  character(9) :: kinds(1)
  integer :: lower(1), upper(1), rank
  print '(6i5)', sum_prefix(a)
  print '(6i5)', sum_prefix(a, mask=m)
  print '(6i5)', sum_prefix(a, segment=s, exclusive=.true.)
  print '(6i5)', sum_suffix(a)
  print '(6i5)', product_prefix(a, dim=1)
  print '(6i5)', maxval_prefix(a), minval_suffix(a, segment=s)
  print '(6i5)', iall_prefix(a), iany_prefix(a), iparity_suffix(a)
  print '(6l5)', all_prefix(m), any_suffix(m), parity_prefix(m)
  print '(6i5)', count_prefix(m), count_suffix(m, segment=s)
  print '(6i5)', copy_prefix(a, segment=s), copy_suffix(a, segment=s)
  print '(3i5)', sum_scatter(a, b, where_to), maxval_scatter(a, b, where_to, mask=m)
  print '(3i5)', copy_scatter(a, b, where_to), count_scatter(m, b, where_to)
  print '(6i5)', grade_up(a, dim=1), grade_down(a, 1), grade_up(a)
  print '(5f7.2)', sort_up(x), sort_down(x), sum_prefix(x)
  print '(6i5)', ilen(a), ilen(-8), ilen(0)
  call hpf_template(a, template_rank=rank, lb=lower, ub=upper)
  print '(3i5)', rank, lower, upper
  call hpf_alignment(x, lb=lower, ncopies=rank)
  print '(2i5)', lower, rank
  call hpf_distribution(a, axis_size=upper, processors_rank=rank)
  print '(2i5)', upper, rank
  call hpf_distribution(a, kinds)
  print '(a)', kinds
  print '(6l5)', copy_suffix(m), copy_prefix(m, segment=s)
end program
