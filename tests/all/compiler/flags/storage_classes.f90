! STATIC and AUTOMATIC, as attributes and as statements.
integer :: i
do i = 1, 3
  if (count_calls() /= i) stop 1
  call later(i)
end do
contains
integer function count_calls()
  integer, static :: n = 0
  n = n + 1
  count_calls = n
end function
subroutine later(i)
  integer, intent(in) :: i
  integer :: kept, fresh(2)
  static kept
  automatic fresh
  fresh = i
  if (i > 1 .and. kept /= i - 1) stop 2
  kept = fresh(2)
end subroutine
end
