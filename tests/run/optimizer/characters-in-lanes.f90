! Texts that loops go through character by character: bytes in lanes
module texts
  implicit none
contains
  subroutine upper(text)
    character(*), intent(inout) :: text
    integer :: i
    do i = 1, len(text)
      if (text(i:i) >= 'a' .and. text(i:i) <= 'z') text(i:i) = achar(iachar(text(i:i)) - 32)
    end do
  end subroutine

  subroutine coded(text, new, last)
    character(*), intent(in) :: text
    character(*), intent(inout) :: new
    integer, intent(out) :: last
    integer :: i, c
    last = -1
    do i = 1, min(len(text), len(new))
      c = ichar(text(i:i))
      if (c >= 97 .and. c <= 122) c = c - 32
      new(i:i) = char(c)
      last = c
    end do
  end subroutine

  subroutine turned(text, by)
    character(*), intent(inout) :: text
    integer, intent(in) :: by
    integer :: i, c
    do i = len(text), 1, -1
      c = ichar(text(i:i)) + by
      if (c > 255) c = c - 256
      text(i:i) = char(c)
    end do
  end subroutine

  subroutine copied(from, to, n, blank)
    integer, intent(in) :: n
    character, intent(in) :: from(n), blank
    character, intent(out) :: to(n)
    integer :: i
    do i = 1, n
      to(i) = from(i)
      if (from(i) == blank .or. from(i) > 'y') to(i) = '_'
    end do
  end subroutine

  ! How often there are commas, and letters twice
  subroutine counted(text, commas, letters)
    character(*), intent(in) :: text
    integer, intent(inout) :: commas
    integer(8), intent(inout) :: letters
    integer :: i
    do i = 1, len(text)
      if (text(i:i) == ',') then
        commas = commas + 1
      else if (text(i:i) > '?') then
        letters = letters - 2
      end if
    end do
  end subroutine

  subroutine small(a, b, c, n)
    integer, intent(in) :: n
    integer(1), intent(in) :: a(n), b(n)
    integer(1), intent(inout) :: c(n)
    integer :: i
    do i = 1, n
      if (a(i) < b(i)) then
        c(i) = a(i) + b(i)
      else
        c(i) = ieor(a(i), c(i)) - 3_1
      end if
    end do
  end subroutine
end module

program characters
  use texts
  implicit none
  character(70) :: text, other
  character(3) :: rows(40)
  character :: from(70), to(70), c
  integer(1) :: x(70), y(70), z(70)
  integer :: i, j, n, last, commas
  integer(8) :: letters
  do n = 0, 70
    do i = 1, 70
      text(i:i) = char(mod(i * 29 + n, 256))
      from(i) = char(mod(i * 13 + n, 96) + 32)
      x(i) = int(mod(i * 37 + n, 120) - 60, 1)
      y(i) = int(mod(i * 11, 120) - 60, 1)
      z(i) = int(mod(i * 5, 100), 1)
    end do
    other = repeat('-', 70)
    call coded(text(1:n), other(1:n), last)
    print '(a, 3i10)', 'coded', n, last, total(other)
    call upper(text(3:n))
    print '(a, 2i10)', 'upper', n, total(text)
    commas = n
    letters = 3
    call counted(text(1:n), commas, letters)
    print '(a, 3i10)', 'counted', n, commas, letters
    call turned(text(1:n), 200)
    print '(a, 2i10)', 'turned', n, total(text)
    to = '.'
    call copied(from, to, n, 'e')
    print '(71a)', 'copied ', to
    call small(x, y, z, n)
    print '(10i6)', z(1:n)
  end do
  rows = 'abc'
  do j = 1, 3
    do i = 1, 40
      if (mod(i, 7) /= j) rows(i)(j:j) = char(ichar(rows(i)(j:j)) + mod(i, 3))
    end do
  end do
  print '(20a4)', rows
  c = 'x'
  do i = 1, 70
    if (c == from(i)) c = to(i)
    from(i) = c
  end do
  print '(71a)', from, c
contains
  integer function total(text)
    character(*), intent(in) :: text
    integer :: i
    total = 0
    do i = 1, len(text)
      total = total + ichar(text(i:i)) * mod(i, 17)
    end do
  end function
end program
