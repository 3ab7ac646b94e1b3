! Functions that give arrays, used in expressions and assigned over their input.
module results
  implicit none
contains
  function squares(n) result(s)
    integer, intent(in) :: n
    integer :: s(n)
    integer :: i
    do i = 1, n
      s(i) = i * i
    end do
  end function squares
  function reversed(v, n)
    integer, intent(in) :: n
    integer, intent(in) :: v(n)
    integer :: reversed(n)
    integer :: i
    do i = 1, n
      reversed(i) = v(n + 1 - i)
    end do
  end function reversed
end module results
program proc_array_result
  use results
  implicit none
  integer :: a(5)
  a = squares(5)
  print *, a
  a = reversed(a, 5)
  print *, a
  a = a + squares(5)
  print *, a
  print *, sum(squares(4)), maxval(reversed(a, 5))
  a(2:4) = squares(3) * 100
  print *, a
end program
