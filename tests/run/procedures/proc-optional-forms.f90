! optional and keyword arguments with many types; functions as optional; recursion with optional arrays
module opt
  implicit none
contains
  subroutine config(name, size, scale, flags, label, ok)
    character(*), intent(in) :: name
    integer, intent(in), optional :: size
    real(8), intent(in), optional :: scale(2)
    logical, intent(in), optional :: flags(:)
    character(*), intent(in), optional :: label
    logical, intent(out), optional :: ok
    integer :: n
    n = 10
    if (present(size)) n = size
    write (*, '(a,i4)', advance='no') name, n
    if (present(scale)) write (*, '(2f6.2)', advance='no') scale
    if (present(flags)) write (*, '(*(l2))', advance='no') flags
    if (present(label)) write (*, '(1x,a)', advance='no') label//'|'
    print *
    if (present(ok)) ok = .true.
  end subroutine
  recursive function depth_sum(n, acc) result(s)
    integer, intent(in) :: n
    integer, intent(in), optional :: acc
    integer :: s
    if (n == 0) then
      s = 0
      if (present(acc)) s = acc
    else if (present(acc)) then
      s = depth_sum(n - 1, acc + n)
    else
      s = depth_sum(n - 1, n)
    end if
  end function
  function pick(x, mask, back) result(r)
    real, intent(in) :: x(:)
    logical, intent(in), optional :: mask(:), back
    real :: r
    integer :: i
    logical :: last
    last = .false.
    if (present(back)) last = back
    r = -1
    do i = 1, size(x)
      if (present(mask)) then
        if (.not. mask(i)) cycle
      end if
      r = x(i)
      if (.not. last) return
    end do
  end function
end module
program p
  use opt
  implicit none
  logical :: ok
  ok = .false.
  call config('a')
  call config('b', 3)
  call config('c', scale=[1d0, 2d0], label='lab')
  call config(flags=[.true., .false.], name='d', ok=ok)
  call config('e', 1, [3d0, 4d0], [.true.], 'x', ok)
  print *, ok, depth_sum(4), depth_sum(0), depth_sum(0, 7)
  print *, pick([1., 2., 3.]), pick([1., 2., 3.], back=.true.), pick([1., 2., 3.], [.false., .true., .false.])
end program
