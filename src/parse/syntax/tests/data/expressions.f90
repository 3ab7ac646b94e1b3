program expressions
  x = a + b * c ** d ** e - f / g
  x = -a ** 2 + (-b) * (+c)
  x = a * -b ** -c + -d
  x = a - b - c / d / e
  l = a < b .and. .not. c == d .or. e .eqv. f .neqv. .not. g
  l = a .lt. b .and. c .ge. d
  s = 'a' // b // "c" // 'it''s' // ''
  x = .inv. a .dot. b + c .cross. d
  x = ((a + b)) * (c)
  z = (1.0, -2.0) * (a, b)
  x = a(1, 2:3, :, ::2, 4:, :5, 6:7:8, i) % b(3) % c
  s = t(3)(2:4)
  s = 'abc'(2:3)
  x = f(a, b = c, d = (/ 1, 2, 3 /))
  v = [1, 2, (i, i = 1, 3), ((i * j, i = 1, 2), j = 1, 3, 2)]
  v = [integer :: 1, 2]
  v = [character(len=3) :: 'a', 'bcd']
  v = (/ real(8) :: 1.0, 2 /)
  v = [point :: point(1, 2)]
  x = 1_8 + 2_ik + 1.5_dp + 1.e-3 + 2d0 + 3.d+2 + .5 + 4. + 1.5e10_4
  l = .true. .or. .false._1 .and. .TRUE._lk
  i = z'ff' + b"101" + o'17' + int(x'1F') + 'ff'x
  s = k_'text' // 1_"text"
  l = 1.eq.2 .or. 1.e0.eq.2. .or. 3.d0.lt.x
  l = a%b == c % d
  p => t%next
  p(1:) => q
  i = a(:)%b
x = a ** -b ** c * d
x = a * -b * c + -d ** 2 - -e
x = -a ** b + c - d // -e
l = .not. a == b .and. .not. c < -d .or. e .eqv. f .neqv. .not. .not. g
x = .op. a ** b .plus. -c * .op. d .plus. .not. e
x = f(-a, (b + c) * d, [-e, (i * j, i = 1, -n)])
end program
